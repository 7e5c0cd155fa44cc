package landing

import (
	"slices"

	"hiresure/content"
)

// phoneProofs is how many rows of the ledger a phone shows before it is asked for all of them.
const phoneProofs = 3

func (v view) firstProofs() []content.Proof { return v.Proofs[:min(phoneProofs, len(v.Proofs))] }
func (v view) otherProofs() []content.Proof { return v.Proofs[min(phoneProofs, len(v.Proofs)):] }

// sampleEmployers reports whether some of the hiring partners are made up.
func (v view) sampleEmployers() bool {
	return slices.ContainsFunc(v.HiringPartners, func(p content.Partner) bool { return p.Sample })
}
