package main

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"hiresure/static"
)

// project is a small front end with the same structure as ours.
var project = map[string]string{
	"package.json":                      `{}`, // otherwise a parent folder's applies
	"static/dist/.keep":                 "",
	"static/css/site.css":               `@import "_fonts.css"; main { background: url("../images/mat.svg"); color: #ff0000 }`,
	"static/css/_fonts.css":             `@font-face { font-family: A; src: url("../fonts/a.woff2") format("woff2") }`,
	"static/css/print.css":              `nav { display: none }`,
	"static/fonts/a.woff2":              "wOF2",
	"static/fonts/README.md":            "not for browsers",
	"static/images/mat.svg":             `<svg xmlns="http://www.w3.org/2000/svg">` + strings.Repeat("<path/>", 50) + `</svg>`,
	"static/video/tour.webm":            "webm",
	"islands/runtime/main.ts":           `document.addEventListener("focusin", () => import("../enrolment/main.tsx"), { once: true });`,
	"islands/enquiry/main.ts":           `import("htmx.org").then(({ default: htmx }) => htmx.process(document.body));`,
	"islands/enrolment/main.tsx":        island("enrolment"),
	"islands/checkout/main.tsx":         island("checkout"),
	"islands/forms/Field.tsx":           `export const Field = ({ name }: { name: string }) => <input name={name} className="our-own-field" />;`,
	"node_modules/htmx.org/index.js":    `export default { process: (root) => root.setAttribute("data-htmx-chunk", "") };`,
	"node_modules/react/index.js":       `exports.version = "stand-in of react";`,
	"node_modules/react/jsx-runtime.js": `exports.jsx = (type, props) => [type, props];`,
	"node_modules/react-dom/client.js":  `exports.hydrateRoot = (element, tree) => [element, tree, require("react").version];`,
}

func island(name string) string {
	return `import { hydrateRoot } from "react-dom/client"; import { Field } from "../forms/Field";
		hydrateRoot(document.body, <Field name="` + name + `" />);`
}

func TestManifest(t *testing.T) {
	dist, manifest := build(t, project, false)
	want := map[string]string{
		"checkout.js": `^checkout-[A-Z2-7]{8}\.js$`, "enquiry.js": `^enquiry-[A-Z2-7]{8}\.js$`,
		"enrolment.js": `^enrolment-[A-Z2-7]{8}\.js$`, "runtime.js": `^runtime-[A-Z2-7]{8}\.js$`,
		"site.css": `^site-[A-Z2-7]{8}\.css$`, "print.css": `^print-[A-Z2-7]{8}\.css$`,
		"fonts/a.woff2": `^fonts/a-[A-Z2-7]{8}\.woff2$`, "images/mat.svg": `^images/mat-[A-Z2-7]{8}\.svg$`,
		"video/tour.webm": `^video/tour-[A-Z2-7]{8}\.webm$`,
	}
	if got, want := slices.Sorted(maps.Keys(manifest.Files)), slices.Sorted(maps.Keys(want)); !slices.Equal(got, want) {
		t.Errorf("names: got %q, want %q", got, want)
	}
	for name, pattern := range want {
		if file := manifest.Files[name]; !regexp.MustCompile(pattern).MatchString(file) || dist[file] == nil {
			t.Errorf("%s: got %q, want a file like %s", name, file, pattern)
		}
	}
}

func TestStyleSheets(t *testing.T) {
	dist, manifest := build(t, project, false)
	want := `@font-face{font-family:A;src:url(/static/` + manifest.Files["fonts/a.woff2"] + `) format("woff2")}` +
		`main{background:url(/static/` + manifest.Files["images/mat.svg"] + `);color:red}` + "\n"
	if got := string(dist[manifest.Files["site.css"]]); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestIslandsShareReact(t *testing.T) {
	dist, manifest := build(t, project, false)
	holding := func(text string) (files []string) {
		for name, body := range dist {
			if strings.HasSuffix(name, ".js") && bytes.Contains(body, []byte(text)) {
				files = append(files, name)
			}
		}
		return files
	}
	for _, text := range []string{"stand-in of react", "our-own-field"} {
		files := holding(text)
		if len(files) != 1 {
			t.Fatalf("%s is in %q, want one file", text, files)
		}
		for _, name := range []string{"enrolment.js", "checkout.js"} {
			if imports := manifest.Imports[name]; !slices.Contains(imports, files[0]) {
				t.Errorf("%s imports %q, want %s (%s) among them", name, imports, files[0], text)
			}
		}
		if imports := manifest.Imports["runtime.js"]; slices.Contains(imports, files[0]) {
			t.Errorf("the script of every page loads %s at once: %q", text, imports)
		}
	}
}

func TestDynamicImports(t *testing.T) {
	dist, manifest := build(t, project, false)
	runtime := string(dist[manifest.Files["runtime.js"]])
	if want := `import("/static/` + manifest.Files["enrolment.js"] + `")`; !strings.Contains(runtime, want) {
		t.Errorf("runtime.js lacks %s: %s", want, runtime)
	}
	enquiry := string(dist[manifest.Files["enquiry.js"]])
	found := regexp.MustCompile(`import\("/static/([^"]+)"\)`).FindStringSubmatch(enquiry)
	if found == nil || !bytes.Contains(dist[found[1]], []byte("data-htmx-chunk")) {
		t.Errorf("enquiry.js does not import htmx from a file that was built: %s", enquiry)
	}
	if strings.Contains(enquiry, "data-htmx-chunk") || len(manifest.Imports["enquiry.js"]) != 0 {
		t.Errorf("htmx loads at once: %q, %s", manifest.Imports["enquiry.js"], enquiry)
	}
}

func TestCompressedFiles(t *testing.T) {
	dist, manifest := build(t, project, false)
	svg := manifest.Files["images/mat.svg"]
	want := static.Compress([]byte(project["static/images/mat.svg"]))
	if !bytes.Equal(dist[svg+".br"], want.Brotli()) || !bytes.Equal(dist[svg+".gz"], want.Gzip()) {
		t.Errorf("%s: %d bytes of brotli, %d of gzip", svg, len(dist[svg+".br"]), len(dist[svg+".gz"]))
	}
	if video := manifest.Files["video/tour.webm"]; dist[video+".br"] != nil || dist[video+".gz"] != nil {
		t.Errorf("%s was compressed again", video)
	}
}

func TestBuildIsReproducible(t *testing.T) {
	first, _ := build(t, project, false)
	second, _ := build(t, project, false)
	if !maps.EqualFunc(first, second, bytes.Equal) {
		t.Errorf("%q\n%q", slices.Sorted(maps.Keys(first)), slices.Sorted(maps.Keys(second)))
	}
}

func TestSourceMaps(t *testing.T) {
	count := func(dev bool) (maps int) {
		dist, _ := build(t, project, dev)
		for name, body := range dist {
			if strings.HasSuffix(name, ".map") || bytes.Contains(body, []byte("sourceMappingURL")) {
				maps++
			}
		}
		return maps
	}
	if production, development := count(false), count(true); production != 0 || development == 0 {
		t.Errorf("production has %d, development %d", production, development)
	}
}

func TestBundleIgnoresTheEnvironment(t *testing.T) {
	t.Setenv("SECRET_KEY", "canary")
	files := maps.Clone(project)
	files["islands/runtime/main.ts"] = `document.title = process.env.SECRET_KEY;`
	for _, dev := range []bool{false, true} {
		dist, _ := build(t, files, dev)
		for name, body := range dist {
			if bytes.Contains(body, []byte("canary")) {
				t.Errorf("dev %t: %s holds the value of SECRET_KEY", dev, name)
			}
		}
	}
}

func TestBuildRemovesOldFiles(t *testing.T) {
	root := t.TempDir()
	writeFiles(t, root, project)
	before := rebuild(t, root, false)
	writeFiles(t, root, map[string]string{"static/css/print.css": "nav { color: blue }"})
	after := rebuild(t, root, false)
	for name := range before {
		if _, stays := after[name]; strings.HasPrefix(name, "print-") == stays {
			t.Errorf("%s: stays %v", name, stays)
		}
	}
	if _, stays := after[".keep"]; !stays {
		t.Error(".keep is gone")
	}
}

func TestInvalidSources(t *testing.T) {
	for _, test := range []struct{ sentence, file, text, want string }{
		{"an import that leads nowhere", "islands/runtime/main.ts", `import "./missing"`, `Could not resolve "./missing"`},
		{"a picture that is not there", "static/css/site.css", `a{background:url(../images/no.png)}`,
			`url("../images/no.png") is not a file of static/fonts, static/images or static/video`},
		{"a picture of another site", "static/css/site.css", `a{background:url(https://example.org/a.png)}`,
			`url("https://example.org/a.png") is not a file of static/fonts, static/images or static/video`},
		{"a warning", "static/css/site.css", `a{color:red`, `Expected "}" to go with "{"`},
		{"broken TypeScript", "islands/runtime/main.ts", `const`, `Expected identifier`},
	} {
		t.Run(test.sentence, func(t *testing.T) {
			root := t.TempDir()
			writeFiles(t, root, project)
			writeFiles(t, root, map[string]string{test.file: test.text})
			if _, err := bundle(root, false); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %s", err, test.want)
			}
		})
	}
}

func TestEmptyProject(t *testing.T) {
	_, manifest := build(t, map[string]string{"static/dist/.keep": ""}, false)
	if len(manifest.Files) != 0 {
		t.Errorf("got %q", manifest.Files)
	}
}

// build writes the files to a new folder and builds there.
func build(t *testing.T, files map[string]string, dev bool) (dist map[string][]byte, manifest static.Manifest) {
	t.Helper()
	root := t.TempDir()
	writeFiles(t, root, files)
	dist = rebuild(t, root, dev)
	if err := json.Unmarshal(dist[static.ManifestName], &manifest); err != nil {
		t.Fatal(err)
	}
	return dist, manifest
}

func rebuild(t *testing.T, root string, dev bool) map[string][]byte {
	t.Helper()
	made, err := bundle(root, dev)
	if err != nil {
		t.Fatal(err)
	}
	if err := made.write(filepath.Join(root, "static/dist")); err != nil {
		t.Fatal(err)
	}
	return read(t, filepath.Join(root, "static/dist"))
}

func writeFiles(t *testing.T, root string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		file := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func read(t *testing.T, dist string) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	if err := filepath.WalkDir(dist, func(file string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name, err := filepath.Rel(dist, file)
		if err != nil {
			return err
		}
		files[name], err = os.ReadFile(file)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return files
}
