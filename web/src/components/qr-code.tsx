/** A button that shows a text as a QR code. */
import { useId, useState } from 'react'
import { buttonClass } from './button.tsx'
import styles from './qr-code.module.css'

type Modules = readonly (readonly boolean[])[]

type QrCodeProps = {
  readonly text: string
  readonly what: string
  /** Not written below the code. */
  readonly isSecret?: boolean
}

export function QrCode({ text, what, isSecret = false }: QrCodeProps) {
  const id = useId()
  const [modules, setModules] = useState<Modules>()
  // Loaded when it is opened: most visitors never do.
  const draw = async () => {
    const { encode } = await import('uqr')
    setModules(encode(text, { border: 2 }).data)
  }
  return (
    <>
      <button type="button" className={buttonClass()} popoverTarget={id} onClick={() => void draw()}>
        QR code
      </button>
      <div id={id} popover="auto" className={styles.popover}>
        {modules !== undefined && (
          <svg viewBox={`0 0 ${modules.length} ${modules.length}`} role="img" aria-label={`QR code of the ${what}`}>
            <path d={pathOf(modules)} />
          </svg>
        )}
        {!isSecret && <p>{text}</p>}
      </div>
    </>
  )
}

/** A square for each dark module. */
const pathOf = (modules: Modules): string =>
  modules.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : []))).join('')
