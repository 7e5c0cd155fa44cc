// Command build bundles, minifies and compresses the front end into static/dist, with hashed names.
//
// Sources are found by their path:
//
//	islands/<name>/main.ts(x)      <name>.js, an ES module; common code is in shared chunks
//	static/css/<name>.css          <name>.css; files that begin with _ are only imported
//	static/<fonts|images|video>/…  copied
//
// Run it from the root of the repository.
package main

import (
	"flag"
	"fmt"
	"os"
)

func main() {
	dev := flag.Bool("dev", false, "add source maps")
	flag.Parse()
	made, err := bundle(".", *dev)
	if err == nil {
		err = made.write("static/dist")
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "build:", err)
		os.Exit(1)
	}
}
