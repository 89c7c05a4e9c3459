package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"
	"time"
)

func main() {
	body, err := json.Marshal(map[string]any{
		"to":      "+639171234567",
		"smsType": 2,
		"content": "Your order 10293 is ready for pick-up.",
	})
	if err != nil {
		log.Fatal(err)
	}
	request, err := http.NewRequest(http.MethodPost, "{{origin}}/api/v1/messages", bytes.NewReader(body))
	if err != nil {
		log.Fatal(err)
	}
	request.SetBasicAuth(os.Getenv("PAHATID_APP_ID"), os.Getenv("PAHATID_APP_SECRET"))
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Idempotency-Key", "order-10293-ready")
	client := http.Client{Timeout: 30 * time.Second}
	answer, err := client.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	defer answer.Body.Close()
	var message struct {
		MessageID string `json:"messageId"`
		PkgTotal  int    `json:"pkgTotal"`
		Code      string `json:"code"`
	}
	if err := json.NewDecoder(answer.Body).Decode(&message); err != nil {
		log.Fatal(err)
	}
	if answer.StatusCode >= 300 {
		log.Fatal(message.Code)
	}
	fmt.Println(message.MessageID, message.PkgTotal)
}
