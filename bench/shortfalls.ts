/** Known reasons for missed limits, by the name of the result. */
export const SHORTFALLS: Readonly<Record<string, string>> = {
  'protocol of 500 contracts, p99':
    'The response contains every contract. The largest protocol of the registry has 47 contracts; protocols of 40 contracts meet the limit.',
  'protocol of 10,000 contracts, p99':
    'The response contains every contract: 4.6 MB of JSON. Protocols of the registry are far smaller.',
}
