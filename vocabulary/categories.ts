/** The categories of control events and their texts. */

/** The database stores the position in this list: append new categories at the end. */
export const CATEGORIES = [
  'upgrade',
  'ownership',
  'access',
  'pause',
  'multisig',
  'timelock',
  'governance',
  'token_admin',
] as const
export type Category = (typeof CATEGORIES)[number]

export const CATEGORY_TEXTS: Readonly<Record<Category, string>> = {
  upgrade: 'Upgrade',
  ownership: 'Ownership',
  access: 'Access',
  pause: 'Pause',
  multisig: 'Multisig',
  timelock: 'Timelock',
  governance: 'Governance',
  token_admin: 'Token admin',
}
