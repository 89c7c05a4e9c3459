/** What the server wants before it lets in somebody whose first factor was right. */
export interface AskedFactor {
  challenge: string;
  methods: readonly string[];
}
