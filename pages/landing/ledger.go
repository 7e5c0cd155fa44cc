package landing

import "hiresure/content"

// phoneProofs is how many rows of the ledger a phone shows before it is asked for all of them.
const phoneProofs = 3

func (v view) firstProofs() []content.Proof { return v.Proofs[:min(phoneProofs, len(v.Proofs))] }
func (v view) otherProofs() []content.Proof { return v.Proofs[min(phoneProofs, len(v.Proofs)):] }
