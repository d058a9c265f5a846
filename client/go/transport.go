// Package gatewatch is a client of the Gatewatch API: control of smart contracts, and coins of addresses.
package gatewatch

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"net/url"
	"reflect"
	"strconv"
	"strings"
	"time"
)

const (
	version    = "0.1.0"
	maxBytes   = 64 << 20
	firstPause = 500 * time.Millisecond
)

// Client sends requests to one service. Its fields may be changed before the first request.
type Client struct {
	BaseURL string
	// ControlKey is sent to /v1, CoinsKey to /api/v2.
	ControlKey string
	CoinsKey   string
	// HTTP sends the requests. It must not follow redirects, which would carry the key to another host.
	HTTP *http.Client
	// Retries is how often a GET is sent again.
	Retries int
	// MaxPause is the longest pause that the service may ask for. A longer one is an error.
	MaxPause time.Duration
}

// New returns a client with 4 retries, a longest pause of 2 minutes, and a limit of 30 seconds for each request.
func New(baseURL, controlKey, coinsKey string) *Client {
	return &Client{
		BaseURL:    strings.TrimRight(baseURL, "/"),
		ControlKey: controlKey,
		CoinsKey:   coinsKey,
		HTTP: &http.Client{
			Timeout:       30 * time.Second,
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
		Retries:  4,
		MaxPause: 2 * time.Minute,
	}
}

// Error is a response that refuses a request.
type Error struct {
	Status  int
	Code    string
	Message string
}

func (e *Error) Error() string {
	return fmt.Sprintf("gatewatch: %s (%s, status %d)", e.Message, e.Code, e.Status)
}

// Page is one page of a list. NextCursor is nil on the last page.
type Page[T any] struct {
	Items      []T
	NextCursor *string
}

// Ptr returns a pointer to a value, for optional arguments.
func Ptr[T any](value T) *T { return &value }

type request struct {
	api, method, path   string
	params, query, body map[string]any
}

type envelope[T any] struct {
	Data       T       `json:"data"`
	NextCursor *string `json:"nextCursor"`
}

func send[T any](ctx context.Context, c *Client, r request) (envelope[T], error) {
	var answer envelope[T]
	for attempt := 0; ; attempt++ {
		text, pause, err := c.sendOnce(ctx, r)
		if err == nil {
			if err := json.Unmarshal(text, &answer); err != nil {
				return answer, fmt.Errorf("gatewatch: the response is not valid: %w", err)
			}
			return answer, nil
		}
		// Other methods may have had an effect.
		if r.method != http.MethodGet || attempt >= c.Retries || ctx.Err() != nil || !passes(err) {
			return answer, err
		}
		if pause < 0 {
			pause = firstPause << attempt
		}
		if pause > c.MaxPause {
			return answer, err
		}
		timer := time.NewTimer(pause)
		select {
		case <-ctx.Done():
			timer.Stop()
			return answer, ctx.Err()
		case <-timer.C:
		}
	}
}

// passes reports whether the reason of an error can pass: a limit, an outage, a lost connection.
func passes(err error) bool {
	var refused *Error
	if !errors.As(err, &refused) {
		return true
	}
	switch refused.Status {
	case 429, 502, 503, 504:
		return true
	}
	return false
}

// sendOnce returns the body, or an error with the pause that the service asks for; -1 if it asks for none.
func (c *Client) sendOnce(ctx context.Context, r request) ([]byte, time.Duration, error) {
	target := c.BaseURL + r.path
	for name, value := range r.params {
		target = strings.ReplaceAll(target, "{"+name+"}", url.PathEscape(fmt.Sprint(value)))
	}
	query := url.Values{}
	for name, value := range given(r.query) {
		query.Set(name, fmt.Sprint(value))
	}
	if len(query) > 0 {
		target += "?" + query.Encode()
	}
	var body io.Reader
	if r.body != nil {
		text, err := json.Marshal(given(r.body))
		if err != nil {
			return nil, -1, err
		}
		body = bytes.NewReader(text)
	}
	req, err := http.NewRequestWithContext(ctx, r.method, target, body)
	if err != nil {
		return nil, -1, err
	}
	req.Header.Set("Accept", "application/json")
	req.Header.Set("User-Agent", "gatewatch-go/"+version)
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	if r.api == "v1" && c.ControlKey != "" {
		req.Header.Set("Authorization", "Bearer "+c.ControlKey)
	}
	if r.api == "v2" && c.CoinsKey != "" {
		req.Header.Set("X-API-Key", c.CoinsKey)
	}
	response, err := c.HTTP.Do(req)
	if err != nil {
		return nil, -1, err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(io.LimitReader(response.Body, maxBytes+1))
	if err != nil {
		return nil, -1, err
	}
	if len(text) > maxBytes {
		return nil, -1, &Error{response.StatusCode, "too_large", "The response is larger than 64 MiB."}
	}
	if response.StatusCode < 200 || response.StatusCode > 299 {
		return nil, pauseOf(response.Header.Get("Retry-After")), failureOf(response.StatusCode, text)
	}
	return text, -1, nil
}

// given leaves out arguments that are nil, and follows pointers.
func given(args map[string]any) map[string]any {
	set := map[string]any{}
	for name, arg := range args {
		value := reflect.ValueOf(arg)
		switch value.Kind() {
		case reflect.Invalid:
			continue
		case reflect.Pointer, reflect.Slice, reflect.Map:
			if value.IsNil() {
				continue
			}
		}
		if value.Kind() == reflect.Pointer {
			value = value.Elem()
		}
		set[name] = value.Interface()
	}
	return set
}

// pauseOf reads seconds or a date.
func pauseOf(text string) time.Duration {
	if seconds, err := strconv.ParseFloat(text, 64); err == nil && seconds >= 0 && seconds < 1e9 {
		return time.Duration(seconds * float64(time.Second))
	}
	if at, err := http.ParseTime(text); err == nil {
		return max(0, time.Until(at))
	}
	return -1
}

// failureOf reads the error formats of both APIs.
func failureOf(status int, text []byte) error {
	var v1 struct {
		Error struct{ Code, Message string }
	}
	if json.Unmarshal(text, &v1) == nil && v1.Error.Code != "" {
		return &Error{status, v1.Error.Code, v1.Error.Message}
	}
	var v2 struct{ Error, Code string }
	if json.Unmarshal(text, &v2) == nil && v2.Code != "" {
		return &Error{status, v2.Code, v2.Error}
	}
	return &Error{status, "http_error", fmt.Sprintf("The service returned status %d.", status)}
}

// all yields the items of every page. It ends after the first error.
func all[T any](read func(cursor *string) (Page[T], error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var cursor *string
		for {
			page, err := read(cursor)
			if err != nil {
				var none T
				yield(none, err)
				return
			}
			for _, item := range page.Items {
				if !yield(item, nil) {
					return
				}
			}
			if page.NextCursor == nil {
				return
			}
			cursor = page.NextCursor
		}
	}
}
