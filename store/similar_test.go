package store_test

import (
	"strings"
	"testing"

	"hiresure/admission/enrol"
	"hiresure/store"
	"hiresure/store/storetest"
)

func TestTextsByOneEdit(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		list(t, s)
		update(t, s, func(tx store.Tx) error {
			for i, name := range []string{"Lakshmi Venkataraman", "Lakshmy", "Kumar Rakesh Rao", "Asha Pillai"} {
				if err := tx.AddRegistration(&enrol.Registration{ID: strings.Repeat("z", 25) + string(rune('a'+i)), FullName: name, Phone: "+91700000000" + string(rune('0'+i)), EventCode: "mgrow", CreatedAt: noon}); err != nil {
					return err
				}
			}
			return nil
		})
		for _, row := range []struct{ said, similar string }{
			{"lakshmi venkatraman", "lakshmi venkataraman"}, {"LAKHSMI venkataraman", "lakshmi venkataraman"}, {"venkataramann lakshmi", "venkataraman lakshmi"},
			{"lakshmo", "lakshmi, lakshmy"}, {"rakseh", "rakesh"}, {"kumar rakesh roa", "kumar rakesh rao"},
			{"lakhsmi venkatraman", ""}, {"akshmi", ""}, {"xa", ""}, {"", ""}, {"!", ""}, {"asha verna", "asha verma"}, {"asja", "asha"}, {"asha erasedd", ""},
			{"கவித", "கவிதா"}, {"zoé", "zoë"}, {"aash_", ""}, {"asha.verna@example.com", ""}, {strings.Repeat("xyz ", 50), ""},
			{"98200 41576", "9820041567"}, {"+91 98200 41568", "9820041567"}, {"98200 4157", ""}, {"HS26-4K7N-K", "HS26-4K7M-K"}, {"hs26-k47m-k", "HS26-4K7M-K"},
			{"KS/26-27/000843", "KS/26-27/000842"}, {"KS/26-27/008042", "KS/26-27/000842"}, {"426301877421", "426301877412"}, {"12", ""}, {"9" + strings.Repeat("é", 30), ""}, {"4é2630187é7", ""},
		} {
			var similar []string
			update(t, s, func(tx store.Tx) (err error) {
				similar, err = tx.SimilarTexts(row.said, 3)
				return err
			})
			if got := strings.Join(similar, ", "); got != row.similar {
				t.Errorf("%q is like %q, want %q", row.said, got, row.similar)
			}
		}
	})
}
