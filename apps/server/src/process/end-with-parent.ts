/** Preloaded into a child that knows nothing of us (`node --import`): it ends when the channel to its parent closes. */
process.on('disconnect', () => process.exit(0));
// The channel alone must not keep it alive.
process.channel?.unref();
