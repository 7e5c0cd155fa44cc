// Command postgres starts a private PostgreSQL for tests in TypeScript: it prints the database's URL and removes everything when
// its input ends.
package main

import (
	"errors"
	"fmt"
	"io"
	"log"
	"os"

	"hiresure/store/storetest"
)

func main() {
	log.SetFlags(0)
	if err := lend(); err != nil {
		log.Fatal(err)
	}
}

func lend() error {
	cluster, err := storetest.StartCluster()
	if err != nil {
		return err
	}
	url, err := cluster.NewDatabase()
	if err == nil {
		fmt.Println(url)
		_, err = io.Copy(io.Discard, os.Stdin)
	}
	return errors.Join(err, cluster.Close())
}
