package main

import (
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"log/slog"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"hiresure/store/storetest"
)

// kindsOfJobs returns the values of the constants Job… that the business declares, by name.
func kindsOfJobs(t *testing.T) map[string]string {
	t.Helper()
	kinds := map[string]string{}
	err := filepath.WalkDir("../../admission", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			spec, is := n.(*ast.ValueSpec)
			if !is {
				return true
			}
			for i, name := range spec.Names {
				if !strings.HasPrefix(name.Name, "Job") || i >= len(spec.Values) {
					continue
				}
				if value, is := spec.Values[i].(*ast.BasicLit); is {
					kinds[file.Name.Name+"."+name.Name], err = strconv.Unquote(value.Value)
				}
			}
			return err == nil
		})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return kinds
}

// A worker leaves alone the kinds that it has no handler of, since a later version may have written them: of our own, such
// a job would wait for ever, and nobody would hear of it.
func TestEveryKindOfJobHasAHandler(t *testing.T) {
	config, _ := development(t, "DATABASE_URL", storetest.SQLite(t), "LEAD_WEBHOOK_URL", "https://leads.example.in", "LEAD_WEBHOOK_SECRET", "s")
	s, err := build(t.Context(), config, slog.New(slog.DiscardHandler), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	defer s.close(context.WithoutCancel(t.Context()))
	handled := map[string]int{}
	for _, worker := range s.workers {
		for kind := range worker.Handlers {
			handled[kind]++
		}
	}
	kinds := kindsOfJobs(t)
	if len(kinds) < 9 {
		t.Errorf("the business declares %v", kinds)
	}
	for name, kind := range kinds {
		if handled[kind] != 1 {
			t.Errorf("%s, %q, is done by %d workers: it needs a handler in buildWorker", name, kind, handled[kind])
		}
	}
}
