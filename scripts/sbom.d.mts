type Lock = { readonly packages: Readonly<Record<string, object>> }
type Component = {
  readonly 'bom-ref': string
  readonly name: string
  readonly version: string
  readonly scope: 'required' | 'optional'
  readonly hashes?: readonly { readonly alg: string; readonly content: string }[]
}
export function billOfMaterials(
  lock: Lock,
  options?: { readonly production?: boolean },
): {
  readonly bomFormat: string
  readonly specVersion: string
  readonly components: readonly Component[]
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[]
}
