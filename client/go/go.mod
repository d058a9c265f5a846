module gatewatch/client

go 1.23
