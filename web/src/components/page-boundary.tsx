import { Component, type ReactNode } from 'react'
import { Button } from './button.tsx'
import { StateMessage } from './state-message.tsx'

type PageBoundaryProps = { readonly children: ReactNode }

/** Shows an error in place of a page that failed to load or to render. */
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
        isError
        // A script that failed to load stays failed until the window is reloaded.
        action={<Button onClick={() => window.location.reload()}>Try again</Button>}
      >
        The service cannot be reached, or it was updated since you opened this page.
      </StateMessage>
    )
  }
}
