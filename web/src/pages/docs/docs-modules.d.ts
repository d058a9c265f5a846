/** Modules that `scripts/docs-modules.mjs` makes at build time. */

// A file with imports of its own would extend modules instead of declaring them.
/* oxlint-disable typescript/consistent-type-imports */

declare module 'virtual:guides' {
  const guides: readonly import('../../../../scripts/docs-modules.mjs').DocsGuide[]
  export default guides
}

declare module 'virtual:api-reference' {
  const groups: readonly import('../../../../scripts/docs-modules.mjs').DocsGroup[]
  export default groups
}
