// Command build makes static/dist from the sources of the front end: bundled, minified, compressed, and named by content.
//
// Sources are found by their place:
//
//	islands/<name>/main.ts(x)      <name>.js, an ES module; what several of them need stands in chunks that they share
//	static/css/<name>.css          <name>.css; files that begin with _ are parts, to be imported
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
