/** What the server does against too much, and against browsers that are led astray. */
export interface Protection {
  /** Addresses and networks of proxies whose word about their clients counts. */
  trustedProxies: readonly string[];
  /** Origins whose pages may call the API from a browser, exactly as browsers name them. */
  corsOrigins: readonly string[];
  /** Requests a minute; 0 is no limit. */
  rateLimits: {
    /** Of one person, of one API key, and of one application for one person. */
    perCredential: number;
    /** Of all who come from one address without a valid credential. */
    perAddress: number;
  };
  /** How long a request may take to arrive, in seconds. */
  requestSeconds: number;
  /** The certificate and key of TLS, as PEM; without them the server speaks plain HTTP. */
  tls?: { cert: string; key: string; selfSigned: boolean } | undefined;
}

/** No limits but the one of time, and nobody trusted. */
export const noProtection: Protection = {
  trustedProxies: [],
  corsOrigins: [],
  rateLimits: { perCredential: 0, perAddress: 0 },
  requestSeconds: 300,
};
