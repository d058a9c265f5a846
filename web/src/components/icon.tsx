/** SVG paths on a grid of 16 by 16, drawn in the text color. */
const PATHS = {
  copy: 'M5.5 5.5h7v7h-7zM3.5 10.5v-7h7',
  check: 'm3.5 8.5 3 3 6-7',
  search: 'M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9Zm3.3-1.2 3.2 3.2',
  menu: 'M2.5 4.5h11M2.5 8h11M2.5 11.5h11',
  close: 'm4 4 8 8M12 4l-8 8',
  sun: 'M8 10.8a2.8 2.8 0 1 0 0-5.6 2.8 2.8 0 0 0 0 5.6ZM8 1.5v1.4M8 13.1v1.4M1.5 8h1.4M13.1 8h1.4M3.4 3.4l1 1M11.6 11.6l1 1M12.6 3.4l-1 1M4.4 11.6l-1 1',
  moon: 'M13.2 9.6A5.6 5.6 0 0 1 6.4 2.8a5.6 5.6 0 1 0 6.8 6.8Z',
  external: 'M6.5 3.5h-3v9h9v-3M9 2.5h4.5V7M13.2 2.8 7.5 8.5',
  arrow: 'M2.5 8h10.5M9.5 4.5 13 8l-3.5 3.5',
  chevron: 'm6 3.5 4.5 4.5L6 12.5',
  warning: 'M8 2.2 14.5 13.5h-13L8 2.2ZM8 6.5v3.2M8 11.4v.4',
  info: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12Zm0-6.8v3.6M8 5.1v.3',
  upgrade: 'M8 13.5v-9M4.5 8 8 4.5 11.5 8M3.5 2.5h9',
  ownership: 'M5.500 13a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5ZM7.300 8.700 13 3M10.300 5.700l2 2',
  access: 'M8 7.5a2.4 2.4 0 1 0 0-4.8 2.4 2.4 0 0 0 0 4.8Zm-4.5 6c.3-2.6 2-4 4.5-4s4.200 1.400 4.500 4',
  pause: 'M5.500 3.500v9M10.500 3.500v9',
  multisig:
    'M5.500 7.200a2 2 0 1 0 0-4 2 2 0 0 0 0 4Zm5.300.4a1.700 1.700 0 1 0 0-3.400M1.800 12.800c.2-2.200 1.600-3.500 3.700-3.500s3.500 1.300 3.700 3.500M11.300 9.600c1.700.2 2.700 1.300 2.900 3.200',
  timelock: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM8 4.800V8l2.200 1.600',
  governance: 'M2.500 6.500 8 3l5.500 3.500M3.500 6.500h9M4.500 6.500v5M8 6.500v5M11.500 6.500v5M2.500 13h11',
  token_admin:
    'M8 13.500a5.500 5.500 0 1 0 0-11 5.500 5.500 0 0 0 0 11ZM9.800 6.200c-.4-.600-1-.9-1.800-.9-1 0-1.800.5-1.800 1.300 0 1.900 3.600.9 3.600 2.800 0 .8-.8 1.300-1.800 1.300-.9 0-1.600-.3-1.900-1M8 4.200v7.600',
} as const

export type IconName = keyof typeof PATHS

export function Icon({ name, size = 16 }: { readonly name: IconName; readonly size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 16 16" fill="none" aria-hidden="true">
      <path d={PATHS[name]} stroke="currentColor" strokeWidth="1.4" strokeLinecap="round" strokeLinejoin="round" />
    </svg>
  )
}
