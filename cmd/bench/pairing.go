package main

import (
	"cmp"
	"errors"
	"time"
)

// A server is a process and the request that it is measured by.
type server struct {
	*process
	request []byte
}

// A pairing measures the site and a bare server in alternate rounds, by so many clients. The one that is not measured is stopped.
type pairing struct {
	site, bare server
	clients    int
}

// A comparison holds one number of each round, in the order of the rounds.
type comparison struct{ site, bare []float64 }

type result struct {
	perSecond comparison
	cpuEach   comparison // microseconds
}

const warmUp = 500 * time.Millisecond

func (p *pairing) run() (r result, err error) {
	sides := []struct {
		server
		perSecond, cpuEach *[]float64
	}{
		{p.bare, &r.perSecond.bare, &r.cpuEach.bare},
		{p.site, &r.perSecond.site, &r.cpuEach.site},
	}
	if err := p.bare.pause(); err != nil {
		return r, err
	}
	if err := p.site.pause(); err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, p.bare.resume(), p.site.resume()) }()
	for _, side := range sides {
		if _, _, err := side.round(p.clients, min(warmUp, *lasting)); err != nil {
			return r, err
		}
	}
	for n := range rounds {
		for i := range sides {
			side := sides[(i+n)%2] // each begins every other time
			perSecond, cpuEach, err := side.round(p.clients, *lasting)
			if err != nil {
				return r, err
			}
			*side.perSecond, *side.cpuEach = append(*side.perSecond, perSecond), append(*side.cpuEach, cpuEach)
		}
	}
	return r, nil
}

func (s *server) round(clients int, lasting time.Duration) (perSecond, cpuEach float64, err error) {
	if err := s.resume(); err != nil {
		return 0, 0, err
	}
	before, err := s.cpu()
	if err != nil {
		return 0, 0, err
	}
	answered, took, err := load(s.addr, s.request, clients, lasting)
	if err != nil {
		return 0, 0, err
	}
	after, err := s.cpu()
	spent := float64((after - before).Microseconds())
	return float64(answered) / took.Seconds(), spent / float64(answered), cmp.Or(err, s.pause())
}
