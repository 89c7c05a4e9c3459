<?php
$request = curl_init('{{origin}}/api/v1/messages');
curl_setopt_array($request, [
    CURLOPT_RETURNTRANSFER => true,
    CURLOPT_TIMEOUT => 30,
    CURLOPT_USERPWD => getenv('PAHATID_APP_ID') . ':' . getenv('PAHATID_APP_SECRET'),
    CURLOPT_HTTPHEADER => ['Content-Type: application/json', 'Idempotency-Key: order-10293-ready'],
    CURLOPT_POSTFIELDS => json_encode([
        'to' => '+639171234567',
        'smsType' => 2,
        'content' => 'Your order 10293 is ready for pick-up.',
    ]),
]);
$answer = curl_exec($request);
if ($answer === false) {
    throw new RuntimeException(curl_error($request));
}
$message = json_decode($answer, true);
if (curl_getinfo($request, CURLINFO_RESPONSE_CODE) >= 300) {
    throw new RuntimeException($message['code']);
}
echo $message['messageId'], ' ', $message['pkgTotal'], PHP_EOL;
