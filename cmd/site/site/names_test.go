package site_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"hiresure/admission/paper"
	"hiresure/cmd/site/sitetest"
)

// withoutFonts has the browser find no font on this machine, so that only what the program ships is drawn.
func withoutFonts(t *testing.T) (folder string) {
	t.Helper()
	folder = t.TempDir()
	config := filepath.Join(folder, "fonts.conf")
	if err := os.WriteFile(config, []byte(`<fontconfig><dir>`+folder+`</dir></fontconfig>`), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("FONTCONFIG_FILE", config)
	return folder
}

// names are of people, one in each scheduled language of India, and some that are hard to draw.
var names = []struct{ language, name, font string }{
	{"Assamese", "ভূপেন হাজৰিকা", "NotoSansBengali"},
	{"Bengali", "রবীন্দ্রনাথ বন্দ্যোপাধ্যায়", "NotoSansBengali"},
	{"Bodo", "मिथिंगा फोर्दोʼ बर'", "Eczar"},
	{"Dogri", "पद्मा सचदेव", "Eczar"},
	{"Gujarati", "ઝવેરચંદ મેઘાણી", "NotoSansGujarati"},
	{"Hindi", "श्रीकृष्ण द्विवेदी", "Eczar"},
	{"Kannada", "ಕುವೆಂಪು ಶ್ರೀನಿವಾಸ", "NotoSansKannada"},
	{"Kashmiri", "غُلام نَبی کٲشُر", "NotoSansArabic"},
	{"Konkani", "दामोदर मावजो", "Eczar"},
	{"Maithili", "विद्यापति ठाकुर", "Eczar"},
	{"Malayalam", "ശ്രീജിത്ത് കൃഷ്ണൻ", "NotoSansMalayalam"},
	{"Manipuri", "ꯍꯤꯖꯝ ꯏꯔꯥꯕꯣꯠ", "NotoSansMeeteiMayek"},
	{"Marathi", "ज्ञानेश्वर कुलकर्णी", "Eczar"},
	{"Nepali", "लक्ष्मीप्रसाद देवकोटा", "Eczar"},
	{"Odia", "ଫକୀରମୋହନ ସେନାପତି", "NotoSansOriya"},
	{"Punjabi", "ਹਰਪ੍ਰੀਤ ਸਿੰਘ", "NotoSansGurmukhi"},
	{"Sanskrit", "वाल्मीकिः", "Eczar"},
	{"Santali", "ᱨᱚᱜᱷᱩᱱᱟᱛᱷ ᱢᱩᱨᱢᱩ", "NotoSansOlChiki"},
	{"Sindhi", "شيخ اياز ڪٿوري", "NotoSansArabic"},
	{"Tamil", "ஸ்ரீதேவி சுப்பிரமணியம்", "NotoSansTamil"},
	{"Telugu", "శ్రీకాంత్ వేంకటేశ్వర్లు", "NotoSansTelugu"},
	{"Urdu", "محمد اقبال ٹھاکر", "NotoSansArabic"},
	{"Latin, with marks that have no sign of their own", "Kr\u0325ṣṇa Ñandū Łukasz m\u0310", "NotoSans-Medium"},
	{"fifty characters", "வெங்கட நாகசத்ய லட்சுமி பிரசன்ன குமாரி சுப்பிரமணியா", "NotoSansTamil"},
}

// Each language is printed on one kind of paper, and each kind in several; a long test prints all.
func TestNamesOfEveryLanguageArePrinted(t *testing.T) {
	testNames(t, func(name, kind int) bool { return name%4 == kind })
}

func testNames(t *testing.T, chosen func(name, kind int) bool) {
	withoutFonts(t)
	p := openPrintingSite(t, "letter")
	for i, of := range names {
		txn := p.Sell(of.name, "29", 149900)
		p.Refund(txn, 149900, 50000)
		issued := p.Receipt(txn)
		for k, kind := range []struct {
			kind paper.Kind
			ref  string
		}{{paper.Invoice, issued.Invoice.ID}, {paper.CreditNote, issued.CreditNotes[0].ID}, {paper.Receipt, txn}, {paper.Ticket, txn}} {
			if !chosen(i, k) {
				continue
			}
			body, err := p.Site.Papers.Print(t.Context(), paper.Paper{Kind: kind.kind, Ref: kind.ref, TxnID: txn, CausedAt: p.Site.Clock()})
			if err != nil {
				t.Errorf("%s, %s: %v", of.language, kind.kind, err)
				continue
			}
			if text := sitetest.Poppler(t, "pdftotext", string(body)); !strings.Contains(readable(text), readable(of.name)) || !hasEach(text, of.name) {
				t.Errorf("%s: the %s reads\n%s\nwithout %s", of.language, kind.kind, text, of.name)
			}
			if fonts := sitetest.Poppler(t, "pdffonts", string(body)); !regexp.MustCompile(`\+` + of.font + `\S* +CID TrueType +Identity-H +yes yes yes`).MatchString(fonts) {
				t.Errorf("%s: the %s has the fonts\n%s, want %s", of.language, kind.kind, fonts, of.font)
			}
		}
	}
}

// readable returns a text without white space and Arabic vowel signs, which pdftotext puts before their letters.
func readable(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Arabic, r) && unicode.IsMark(r) || unicode.Is(unicode.Inherited, r) && r >= 0x600 && r < 0x700 {
			return -1
		}
		return r
	}, withoutSpace(text))
}

func hasEach(text, name string) bool {
	return !strings.ContainsFunc(name, func(r rune) bool { return !strings.ContainsRune(text, r) })
}
