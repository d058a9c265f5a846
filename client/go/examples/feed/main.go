// Feed prints the newest critical events: URL and KEY come from the environment.
package main

import (
	"context"
	"fmt"
	"log"
	"os"

	gatewatch "gatewatch/client"
)

func main() {
	client := gatewatch.New(os.Getenv("URL"), os.Getenv("KEY"), "")
	options := gatewatch.EventsOptions{Severity: gatewatch.Ptr("critical"), Limit: gatewatch.Ptr(int64(20))}
	for event, err := range client.AllEvents(context.Background(), options) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(event.BlockTime, event.ChainSlug, event.Address, event.EventKey)
	}
}
