package main

import _ "github.com/lib/pq"

const (
	driver      = "postgres"
	question    = false
	insertGrant = "insert into grants (player) values ($1)"
)
