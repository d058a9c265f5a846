import styles from './code-block.module.css'
import { CopyButton } from './copy-button.tsx'

/** A text to copy. */
export function CodeBlock({ title, text }: { readonly title: string; readonly text: string }) {
  return (
    <div className={styles.block}>
      <div className={styles.head}>
        {title}
        <CopyButton text={text} what={title} />
      </div>
      <pre className={styles.code}>
        <code>{text}</code>
      </pre>
    </div>
  )
}
