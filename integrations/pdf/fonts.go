package pdf

import (
	"cmp"
	_ "embed"
	"errors"
	"fmt"
	"html"
	"os"
	"path/filepath"
)

// lastResort is Figtree's Latin. Where a machine has no font at all, Chrome's tabs crash, even with fonts in the page.
//
//go:embed figtree.ttf
var lastResort []byte

// systemFonts is the configuration of a machine's fonts, unless FONTCONFIG_FILE names another.
const systemFonts = "/etc/fonts/fonts.conf"

// addLastResort writes the last resort into a browser's profile, and returns the variable of the environment that adds it to the
// machine's fonts. The cache is ours, since the machine's would keep an entry for each profile.
func addLastResort(profile string) (variable string, err error) {
	folder := filepath.Join(profile, "fonts")
	file := filepath.Join(profile, "fonts.conf")
	path := func(of string) string { return html.EscapeString(of) }
	config := fmt.Sprintf(`<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
<cachedir>%s</cachedir>
<include ignore_missing="yes">%s</include>
<dir>%s</dir>
</fontconfig>
`, path(filepath.Join(profile, "fontcache")), path(cmp.Or(os.Getenv("FONTCONFIG_FILE"), systemFonts)), path(folder))
	err = errors.Join(
		os.Mkdir(folder, 0o700),
		os.WriteFile(filepath.Join(folder, "figtree.ttf"), lastResort, 0o600),
		os.WriteFile(file, []byte(config), 0o600),
	)
	if err != nil {
		return "", fmt.Errorf("add a font to the browser's profile: %w", err)
	}
	return "FONTCONFIG_FILE=" + file, nil
}
