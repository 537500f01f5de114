module coinslot

go 1.19
