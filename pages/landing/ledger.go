package landing

import (
	"hiresure/content"
)

// phoneProofs is the number of the ledger's rows on a phone before it is unfolded.
const phoneProofs = 3

func (v view) firstProofs() []content.Proof { return v.Proofs[:min(phoneProofs, len(v.Proofs))] }
func (v view) otherProofs() []content.Proof { return v.Proofs[min(phoneProofs, len(v.Proofs)):] }
