package main

import (
	"cmp"
	"errors"
	"time"
)

// A contender is a server and the request that it is measured by.
type contender struct {
	*process
	request []byte
}

// A duel is rounds of the site and of a bare server in turns, by so many clients. Who is not measured is stopped.
type duel struct {
	site, bare contender
	clients    int
}

// A comparison holds one number of each round, in the order of the rounds.
type comparison struct{ site, bare []float64 }

type result struct {
	perSecond comparison
	cpuEach   comparison // microseconds
}

const warmUp = 500 * time.Millisecond

func (d *duel) fight() (r result, err error) {
	sides := []struct {
		contender
		perSecond, cpuEach *[]float64
	}{
		{d.bare, &r.perSecond.bare, &r.cpuEach.bare},
		{d.site, &r.perSecond.site, &r.cpuEach.site},
	}
	if err := d.bare.rest(); err != nil {
		return r, err
	}
	if err := d.site.rest(); err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, d.bare.wake(), d.site.wake()) }()
	for _, side := range sides {
		if _, _, err := side.round(d.clients, min(warmUp, *lasting)); err != nil {
			return r, err
		}
	}
	for n := range rounds {
		for i := range sides {
			side := sides[(i+n)%2] // each begins every other time
			perSecond, cpuEach, err := side.round(d.clients, *lasting)
			if err != nil {
				return r, err
			}
			*side.perSecond, *side.cpuEach = append(*side.perSecond, perSecond), append(*side.cpuEach, cpuEach)
		}
	}
	return r, nil
}

func (c *contender) round(clients int, lasting time.Duration) (perSecond, cpuEach float64, err error) {
	if err := c.wake(); err != nil {
		return 0, 0, err
	}
	before, err := c.cpu()
	if err != nil {
		return 0, 0, err
	}
	answered, took, err := load(c.addr, c.request, clients, lasting)
	if err != nil {
		return 0, 0, err
	}
	after, err := c.cpu()
	spent := float64((after - before).Microseconds())
	return float64(answered) / took.Seconds(), spent / float64(answered), cmp.Or(err, c.rest())
}
