package web

import (
	"net/http"
	"net/netip"
	"strings"
)

// clientAddress returns the key for rate limits: an IPv4 address, or the /64 of an IPv6 address, since one subscriber
// owns all of it. It reads X-Forwarded-For from the right and stops at the first hop that no trusted proxy wrote:
// clients can forge everything left of it.
func clientAddress(r *http.Request, trusted []netip.Prefix) string {
	addr, known := parseAddress(r.RemoteAddr)
	if !known {
		return "unknown"
	}
	if isTrusted(addr, trusted) {
		hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
		for i := len(hops) - 1; i >= 0 && isTrusted(addr, trusted); i-- {
			hop, known := parseAddress(strings.TrimSpace(hops[i]))
			if !known {
				break
			}
			addr = hop
		}
	}
	if addr.Is4() {
		return addr.String()
	}
	prefix, _ := addr.Prefix(64) // fails only for more than 128 bits
	return prefix.String()
}

func parseAddress(text string) (netip.Addr, bool) {
	withPort, err := netip.ParseAddrPort(text)
	addr := withPort.Addr()
	if err != nil {
		addr, err = netip.ParseAddr(text)
	}
	return addr.Unmap().WithZone(""), err == nil
}

func isTrusted(addr netip.Addr, trusted []netip.Prefix) bool {
	for _, prefix := range trusted {
		if prefix.Contains(addr) {
			return true
		}
	}
	return false
}
