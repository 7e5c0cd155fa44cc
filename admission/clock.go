package admission

import "time"

// IST is Indian Standard Time, UTC+05:30: the time of every date that people read. It has no daylight saving.
var IST = time.FixedZone("IST", (5*60+30)*60)
