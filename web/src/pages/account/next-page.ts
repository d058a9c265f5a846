/** Only a page of ours: what stands in the address bar may come from anyone. */
export const nextPage = (search: string): string => {
  const next = new URLSearchParams(search).get('next') ?? ''
  return /^\/(?![/\\])/.test(next) ? next : '/account'
}
