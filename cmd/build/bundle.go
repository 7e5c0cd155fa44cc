package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/base32"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/evanw/esbuild/pkg/api"

	"hiresure/static"
)

// output is the content of dist.
type output struct {
	files    map[string][]byte // by name in dist, not yet compressed
	manifest static.Manifest
}

// engines are the oldest supported browsers; older ones use the plain forms.
var engines = []api.Engine{
	{Name: api.EngineChrome, Version: "111"},
	{Name: api.EngineEdge, Version: "111"},
	{Name: api.EngineFirefox, Version: "115"},
	{Name: api.EngineSafari, Version: "16.4"},
}

func bundle(root string, dev bool) (*output, error) {
	root, err := filepath.Abs(root)
	if err != nil {
		return nil, err
	}
	m := &output{
		files:    map[string][]byte{},
		manifest: static.Manifest{Files: map[string]string{}, Imports: map[string][]string{}},
	}
	for _, folder := range []string{"fonts", "images", "video"} {
		if err := m.copy(filepath.Join(root, "static"), folder); err != nil {
			return nil, err
		}
	}
	entries, err := entryPoints(root)
	if err != nil || len(entries) == 0 {
		return m, err
	}
	options := api.BuildOptions{
		AbsWorkingDir:       root,
		EntryPointsAdvanced: entries,
		Outdir:              filepath.Join(root, "static", "dist"),
		PublicPath:          static.Prefix,
		EntryNames:          "[name]-[hash]",
		ChunkNames:          "[name]-[hash]",
		Bundle:              true,
		Splitting:           true,
		Format:              api.FormatESModule,
		Platform:            api.PlatformBrowser,
		Engines:             engines,
		Charset:             api.CharsetUTF8,
		JSX:                 api.JSXAutomatic,
		MinifyWhitespace:    true,
		MinifyIdentifiers:   true,
		MinifySyntax:        true,
		Define:              map[string]string{"process.env.NODE_ENV": `"production"`},
		Plugins:             []api.Plugin{m.addressesOfAssets(root), leanForms},
		Metafile:            true,
		LogLevel:            api.LogLevelSilent,
	}
	if dev {
		options.Sourcemap = api.SourceMapLinked
	}
	result := api.Build(options)
	if faults := slices.Concat(result.Errors, result.Warnings); len(faults) > 0 {
		texts := api.FormatMessages(faults, api.FormatMessagesOptions{Kind: api.ErrorMessage})
		return nil, errors.New(strings.TrimSpace(strings.Join(texts, "")))
	}
	return m, m.publish(options.Outdir, result)
}

func entryPoints(root string) ([]api.EntryPoint, error) {
	var entries []api.EntryPoint
	for pattern, name := range map[string]func(string) string{
		"islands/*/main.ts":  func(file string) string { return filepath.Base(filepath.Dir(file)) },
		"islands/*/main.tsx": func(file string) string { return filepath.Base(filepath.Dir(file)) },
		"static/css/[^_]*.css": func(file string) string {
			return strings.TrimSuffix(filepath.Base(file), ".css")
		},
	} {
		files, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			entries = append(entries, api.EntryPoint{InputPath: file, OutputPath: name(file)})
		}
	}
	slices.SortFunc(entries, func(a, b api.EntryPoint) int { return strings.Compare(a.InputPath, b.InputPath) })
	return entries, nil
}

// copy adds the publishable files of a folder with hashed names.
func (m *output) copy(root, folder string) error {
	err := fs.WalkDir(os.DirFS(root), folder, func(name string, entry fs.DirEntry, err error) error {
		extension := path.Ext(name)
		if _, publishable := static.Types[extension]; err != nil || entry.IsDir() || !publishable {
			return err
		}
		body, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			return err
		}
		sum := sha256.Sum256(body)
		hashed := strings.TrimSuffix(name, extension) + "-" + base32.StdEncoding.EncodeToString(sum[:5]) + extension
		m.files[hashed] = body
		m.manifest.Files[name] = hashed
		return nil
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// addressesOfAssets replaces url("../fonts/x.woff2") in style sheets by the published address.
func (m *output) addressesOfAssets(root string) api.Plugin {
	return api.Plugin{Name: "assets", Setup: func(build api.PluginBuild) {
		build.OnResolve(api.OnResolveOptions{Filter: ".*"}, func(args api.OnResolveArgs) (api.OnResolveResult, error) {
			if args.Kind != api.ResolveCSSURLToken || strings.HasPrefix(args.Path, "data:") || strings.HasPrefix(args.Path, "#") {
				return api.OnResolveResult{}, nil
			}
			name, err := filepath.Rel(filepath.Join(root, "static"), filepath.Join(args.ResolveDir, args.Path))
			if err != nil {
				return api.OnResolveResult{}, err
			}
			file, ok := m.manifest.Files[filepath.ToSlash(name)]
			if !ok {
				return api.OnResolveResult{}, fmt.Errorf("url(%q) is not a file of static/fonts, static/images or static/video", args.Path)
			}
			return api.OnResolveResult{Path: static.Prefix + file, External: true}, nil
		})
	}}
}

// metafile is the part of esbuild's metafile that we read.
type metafile struct {
	Outputs map[string]struct {
		EntryPoint string
		Imports    []struct{ Path, Kind string }
	}
}

// publish adds esbuild's output, and the names and imports of entry points to the manifest.
func (m *output) publish(outdir string, result api.BuildResult) error {
	var meta metafile
	if err := json.Unmarshal([]byte(result.Metafile), &meta); err != nil {
		return fmt.Errorf("read esbuild's metafile: %w", err)
	}
	const dist = "static/dist/"
	for output, about := range meta.Outputs {
		name, isEntry := logicalName(about.EntryPoint)
		if !isEntry {
			continue
		}
		m.manifest.Files[name] = strings.TrimPrefix(output, dist)
		for _, file := range meta.imports(output) {
			m.manifest.Imports[name] = append(m.manifest.Imports[name], strings.TrimPrefix(file, dist))
		}
	}
	for _, file := range result.OutputFiles {
		name, err := filepath.Rel(outdir, file.Path)
		if err != nil {
			return err
		}
		m.files[name] = file.Contents
	}
	return nil
}

// imports returns the static imports of an output, nearest first.
func (meta metafile) imports(output string) []string {
	found := []string{output}
	for i := 0; i < len(found); i++ {
		for _, imported := range meta.Outputs[found[i]].Imports {
			if imported.Kind == "import-statement" && !slices.Contains(found, imported.Path) {
				found = append(found, imported.Path)
			}
		}
	}
	return found[1:]
}

// logicalName returns the name of an entry point in pages: enrolment.js for islands/enrolment/main.tsx.
func logicalName(entry string) (string, bool) {
	parts := strings.Split(entry, "/")
	switch {
	case len(parts) == 3 && parts[0] == "islands" && strings.HasPrefix(parts[2], "main."):
		return parts[1] + ".js", true
	case strings.HasPrefix(entry, "static/css/"):
		return path.Base(entry), true
	}
	return "", false
}

// write updates a folder to the content, with gzip and brotli copies of compressible files. Existing files are kept, as names
// change with content.
func (m *output) write(dist string) error {
	keep := map[string]bool{".keep": true, static.ManifestName: true}
	for _, name := range slices.Sorted(maps.Keys(m.files)) {
		body, target := m.files[name], filepath.Join(dist, name)
		keep[name], keep[name+".gz"], keep[name+".br"] = true, true, true
		if old, err := os.ReadFile(target); err == nil && bytes.Equal(old, body) &&
			(!static.Compressible(name) || exists(target+".gz") && exists(target+".br")) {
			continue
		}
		if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
			return err
		}
		if static.Compressible(name) {
			bodies := static.Compress(body)
			if err := errors.Join(replace(target+".gz", bodies.Gzip()), replace(target+".br", bodies.Brotli())); err != nil {
				return err
			}
		}
		if err := replace(target, body); err != nil {
			return err
		}
	}
	manifest, err := json.MarshalIndent(m.manifest, "", "  ")
	if err != nil {
		return err
	}
	if err := replace(filepath.Join(dist, static.ManifestName), append(manifest, '\n')); err != nil {
		return err
	}
	return removeOthers(dist, keep)
}

// replace writes a file; nil removes it.
func replace(file string, body []byte) error {
	if body != nil {
		return os.WriteFile(file, body, 0o644)
	}
	if err := os.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

func removeOthers(dist string, keep map[string]bool) error {
	return filepath.WalkDir(dist, func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name, err := filepath.Rel(dist, file)
		if err != nil || keep[filepath.ToSlash(name)] {
			return err
		}
		return os.Remove(file)
	})
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}
