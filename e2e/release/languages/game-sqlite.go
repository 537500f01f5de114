package main

import _ "github.com/mattn/go-sqlite3"

const (
	driver      = "sqlite3"
	question    = true
	insertGrant = "insert into grants (player) values (?)"
)
