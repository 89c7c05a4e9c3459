-- Whose browser it is, where no account was named yet: the puzzle of a known browser is counted by its user.
create index known_device_hash on known_device (device_hash);
