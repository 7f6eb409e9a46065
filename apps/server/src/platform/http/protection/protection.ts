/** Settings that protect the server against overload, and browsers against malicious pages. */
export interface Protection {
  /** Addresses and networks of proxies that are trusted to report the addresses of their clients. */
  trustedProxies: readonly string[];
  /** Origins whose pages may call the API from a browser, exactly as browsers send them. */
  corsOrigins: readonly string[];
  /** Requests a minute; 0 means no limit. */
  rateLimits: {
    /** For each person, each API key, and each application of a person. */
    perCredential: number;
    /** For each address, over all requests without a valid credential. */
    perAddress: number;
  };
  /** Maximum time that a request may take to arrive, in seconds. */
  requestSeconds: number;
  /** The TLS certificate and key, as PEM; without them the server uses plain HTTP. */
  tls?: { cert: string; key: string; selfSigned: boolean } | undefined;
}

/** No limits except the time limit, and no trusted proxies or origins. */
export const noProtection: Protection = {
  trustedProxies: [],
  corsOrigins: [],
  rateLimits: { perCredential: 0, perAddress: 0 },
  requestSeconds: 300,
};
