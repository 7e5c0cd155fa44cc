package access

import (
	"net/netip"
)

// networks returns the wider networks of a visitor's address, smallest first: the /56 and the /48 of an IPv6 address, which
// one customer may own as a whole. An IPv4 address has none.
func networks(ip string) (wider []string) {
	prefix, err := netip.ParsePrefix(ip)
	if err != nil {
		return nil
	}
	for _, bits := range []int{56, 48} {
		network, err := prefix.Addr().Prefix(bits)
		if err != nil {
			return nil
		}
		wider = append(wider, network.String())
	}
	return wider
}

// network returns the widest network of a visitor's address: its /48, or the IPv4 address itself.
func network(ip string) string {
	if wider := networks(ip); wider != nil {
		return wider[len(wider)-1]
	}
	return ip
}
