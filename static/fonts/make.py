"""Makes the font files of the site from npm packages, and prints the metrics for static/css/_fonts.css.

Run from the root of the repository, with Debian's python3-fonttools and python3-brotli (and fonts-liberation and
fonts-roboto-unhinted for the metrics):   python3 static/fonts/make.py
"""

import subprocess
import tempfile
from pathlib import Path

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont
from fontTools.varLib.instancer import instantiateVariableFont

SOURCE = Path("node_modules/@fontsource-variable")
WEB = Path("static/fonts")
LAST_RESORT = Path("integrations/pdf/figtree.ttf")

# Only this script needs these packages, so package.json has none of them.
NOTO = ["@expo-google-fonts/noto-sans@0.4.2"]
NOTO_SCRIPTS = ["arabic", "bengali", "gujarati", "gurmukhi", "kannada", "malayalam", "meetei-mayek", "ol-chiki", "oriya", "tamil", "telugu"]
NOTO += [f"@fontsource/noto-sans-{script}@5.3.0" for script in NOTO_SCRIPTS]

RUPEE = [0x20B9]
LATIN = [
    *range(0x20, 0x7F),
    *(ord(c) for c in "\u00a0£©«®°·»½×÷–—‘’“”…•−"),
    *range(0xC0, 0x100),
]
FEATURES = ["kern", "liga", "calt", "mark", "mkmk", "tnum", "lnum"]


def source(family, part):
    return TTFont(SOURCE / family / "files" / f"{family}-{part}-wght-normal.woff2", recalcTimestamp=False)


def subset(font, points, features=FEATURES):
    options = Options(hinting=False, layout_features=features)
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=points)
    subsetter.subset(font)
    return font


def with_rupee(family, weights, features=FEATURES):
    """The letters and the rupee sign, which the packages keep in another file, as one font."""
    font = subset(instantiateVariableFont(source(family, "latin"), {"wght": weights}), LATIN, features)
    other = subset(instantiateVariableFont(source(family, "latin-ext"), {"wght": weights}), RUPEE, [])
    name, there = "rupee", other.getBestCmap()[RUPEE[0]]
    for table in ["glyf", "hmtx"]:
        font[table][name] = other[table][there]
    if "gvar" in font:
        font["gvar"].variations[name] = other["gvar"].variations.get(there, [])
        if "HVAR" in font:
            del font["HVAR"]  # gvar tells the widths too, of this glyph as of the others
    for table in font["cmap"].tables:
        table.cmap[RUPEE[0]] = name
    return font


def web(family, weights):
    font = with_rupee(family, weights)
    font.flavor = "woff2"
    target = WEB / f"{family}.woff2"
    font.save(target)
    print(target.name, target.stat().st_size)


def paper(family, weight):
    """Writes one weight, for papers: of a variable font Chrome draws each letter into a PDF, instead of the font."""
    font = with_rupee(family, weight)
    font.flavor = "woff2"
    target = WEB / f"{family}-{weight}.woff2"
    font.save(target)
    print(target.name, target.stat().st_size)


def devanagari(weight):
    """Writes the letters of names in Devanagari, which papers have in either family."""
    font = instantiateVariableFont(source("eczar", "devanagari"), {"wght": weight})
    font = subset(font, sorted(font.getBestCmap()), ["*"])
    font.flavor = "woff2"
    target = WEB / f"eczar-devanagari-{weight}.woff2"
    font.save(target)
    print(target.name, target.stat().st_size)


def ranges(*pairs):
    return {point for first, last in pairs for point in range(first, last + 1)}


# Letters and marks of names; the package of Arabic also has the letters' forms one by one.
NAMES = {
    "latin": ranges((0x20, 0x7E), (0xA0, 0x24F), (0x2B0, 0x52F), (0x1E00, 0x1EFF), (0x2010, 0x2027), (0x25CC, 0x25CC)),
    "arabic": ranges((0x20, 0x20), (0x600, 0x6FF), (0x750, 0x77F), (0x8A0, 0x8FF), (0x200C, 0x200F)),
}


def names(script, path):
    """Writes the letters of names in a script, which papers have in either family."""
    font = TTFont(path, recalcTimestamp=False)
    points = set(font.getBestCmap())
    font = subset(font, sorted(points & NAMES.get(script, points)), ["*"])
    font.flavor = "woff2"
    target = WEB / f"noto-{script}-500.woff2"
    font.save(target)
    print(target.name, target.stat().st_size)


def noto():
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", f"--prefix={folder}", *NOTO], check=True)
        packages = Path(folder) / "node_modules"
        names("latin", packages / "@expo-google-fonts/noto-sans/500Medium/NotoSans_500Medium.ttf")
        for script in NOTO_SCRIPTS:
            names(script, packages / f"@fontsource/noto-sans-{script}/files/noto-sans-{script}-{script}-500-normal.woff2")


def last_resort():
    """Writes the font of a machine without any: Chrome draws nothing there, not even in fonts of the page."""
    font = with_rupee("figtree", 400)
    font.flavor = None
    font.save(LAST_RESORT)
    print(LAST_RESORT.name, LAST_RESORT.stat().st_size)


# How often a letter stands in English text, per thousand.
FREQUENCY = dict(zip("etaoinsrhldcumfpgwybvkxjqz ", [
    102, 75, 65, 62, 57, 57, 53, 50, 50, 33, 33, 23, 23, 20, 18, 15, 16, 17, 14, 12, 8, 6, 1.5, 1, 1, 1, 180]))


def average(font):
    """The mean advance of English text, in em."""
    cmap, widths = font.getBestCmap(), font["hmtx"]
    total = sum(FREQUENCY.values())
    return sum(widths[cmap[ord(c)]][0] * n for c, n in FREQUENCY.items()) / total / font["head"].unitsPerEm


def fallback(family, weight, ascent, descent, local, path):
    """Prints how a local font must be scaled to take the room of ours. ascent, descent: of our face, in em."""
    ours = average(instantiateVariableFont(source(family, "latin"), {"wght": weight}))
    ratio = ours / average(TTFont(path))
    print(
        f"{family} {weight} as {local}: size-adjust:{ratio:.2%};ascent-override:{ascent / ratio:.2%};"
        f"descent-override:{descent / ratio:.2%};line-gap-override:0%"
    )


if __name__ == "__main__":
    web("eczar", 600)
    web("figtree", (400, 700))
    paper("figtree", 400)
    paper("figtree", 650)
    devanagari(500)
    noto()
    last_resort()

    truetype = Path("/usr/share/fonts/truetype")
    arial = truetype / "liberation" / "LiberationSans-Regular.ttf"
    arial_bold = truetype / "liberation" / "LiberationSans-Bold.ttf"
    roboto = truetype / "roboto/unhinted/RobotoTTF/Roboto-Regular.ttf"
    roboto_bold = truetype / "roboto/unhinted/RobotoTTF/Roboto-Bold.ttf"
    fallback("eczar", 600, 0.92, 0.26, "Arial Bold", arial_bold)
    fallback("eczar", 600, 0.92, 0.26, "Roboto Bold", roboto_bold)
    fallback("figtree", 400, 0.95, 0.25, "Arial", arial)
    fallback("figtree", 600, 0.95, 0.25, "Arial Bold", arial_bold)
    fallback("figtree", 400, 0.95, 0.25, "Roboto", roboto)
    fallback("figtree", 600, 0.95, 0.25, "Roboto Bold", roboto_bold)
