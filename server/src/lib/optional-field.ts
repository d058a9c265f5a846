/** An object with the field, or an empty object if the value is undefined: `exactOptionalPropertyTypes` wants it absent. */
export function optionalField<K extends string, V>(key: K, value: V | undefined): { readonly [P in K]?: V } {
  return value === undefined ? {} : ({ [key]: value } as { readonly [P in K]?: V })
}
