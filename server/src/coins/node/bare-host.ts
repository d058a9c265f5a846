/** A URL's host as it is dialled: an IPv6 address without its brackets. */
export const bareHost = ({ hostname }: URL): string => (hostname.startsWith('[') ? hostname.slice(1, -1) : hostname)
