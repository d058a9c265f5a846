import { Component, type ReactNode } from 'react'
import { Button } from './button.tsx'
import { StateMessage } from './state-message.tsx'

type PageBoundaryProps = { readonly children: ReactNode }

/** Keeps the rest of the window when a page cannot be shown: its file did not arrive, or it has a fault. */
export class PageBoundary extends Component<PageBoundaryProps, { readonly hasFailed: boolean }> {
  override state = { hasFailed: false }

  static getDerivedStateFromError(): { readonly hasFailed: boolean } {
    return { hasFailed: true }
  }

  override render(): ReactNode {
    if (!this.state.hasFailed) return this.props.children
    return (
      <StateMessage
        title="This page could not be opened"
        icon="warning"
        fault
        // What failed to load stays failed until the window is loaded anew.
        action={<Button onClick={() => window.location.reload()}>Try again</Button>}
      >
        The service cannot be reached, or it has changed since this window was opened. Nothing was lost.
      </StateMessage>
    )
  }
}
