package landing

import (
	"slices"

	"hiresure/content"
)

// phoneProofs is the number of the ledger's rows on a phone before it is unfolded.
const phoneProofs = 3

func (v view) firstProofs() []content.Proof { return v.Proofs[:min(phoneProofs, len(v.Proofs))] }
func (v view) otherProofs() []content.Proof { return v.Proofs[min(phoneProofs, len(v.Proofs)):] }

// Reports whether some names are samples.
func (v view) samplePartners() bool  { return slices.ContainsFunc(v.Event.Partners, madeUp) }
func (v view) sampleEmployers() bool { return slices.ContainsFunc(v.HiringPartners, madeUp) }
func (v view) sampleMentors() bool {
	return slices.ContainsFunc(v.Mentors, func(m content.Mentor) bool { return m.Sample })
}

func madeUp(partner content.Partner) bool { return partner.Sample }
