/** Returns an object with the field, or without it if the value is undefined, as `exactOptionalPropertyTypes` requires. */
export function optionalField<K extends string, V>(key: K, value: V | undefined): { readonly [P in K]?: V } {
  return value === undefined ? {} : ({ [key]: value } as { readonly [P in K]?: V })
}
