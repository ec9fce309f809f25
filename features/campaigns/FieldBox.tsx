import type { ReactNode } from 'react'
import { CAMPAIGN_REFUSALS, type FieldRefusal } from './rules.ts'
import './campaigns.css'

/** A field of the editor with what is wrong about it. */
export function FieldBox({
  field,
  refusal,
  children,
}: {
  field: string
  refusal: FieldRefusal | null
  children: ReactNode
}) {
  return (
    <div className="campaign-field" data-field={field}>
      {children}
      {refusal?.field === field && (
        <p className="campaign-error" role="alert">
          {CAMPAIGN_REFUSALS[refusal.code]}
        </p>
      )}
    </div>
  )
}
