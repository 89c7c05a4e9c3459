<?php
// Start with: php -S 0.0.0.0:8081 verify.php

function is_genuine(string $body): bool
{
    $id = $_SERVER['HTTP_WEBHOOK_ID'] ?? '';
    $timestamp = $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '';
    if (!ctype_digit($timestamp) || abs(time() - (int) $timestamp) > 300) {
        return false;
    }
    $key = base64_decode(str_replace('whsec_', '', getenv('PAHATID_CALLBACK_SECRET')));
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
    foreach (explode(' ', $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? '') as $signature) {
        if (hash_equals($expected, $signature)) {
            return true;
        }
    }
    return false;
}

$body = file_get_contents('php://input');
if (!is_genuine($body)) {
    http_response_code(401);
    exit;
}
$event = json_decode($body, true);
// Store it under its webhook-id first: after a 2xx it is not sent again.
error_log($_SERVER['HTTP_WEBHOOK_ID'] . ' ' . $event['type']);
if ($event['type'] === 'test') {
    echo $event['data']['challenge'];
}
