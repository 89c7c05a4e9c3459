/** The factor that the server requires after the first one was correct. */
export interface AskedFactor {
  challenge: string;
  methods: readonly string[];
}
