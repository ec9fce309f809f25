// How every list draws a document's number and its agent.
import { AGENT_CELL } from '#features/office/agents/agentCell.tsx'
import { Copyable } from '#web/controls/format.tsx'
import { SHOWN_ORDER_CHARS } from './rules.ts'

type Numbered = { orderNo: string }

export const DOCUMENT_CELLS = {
  /** The number's last characters (decisions.md); a double click copies all of it. */
  orderNo: ({ orderNo }: Numbered) => <Copyable text={orderNo} shown={orderNo.slice(-SHOWN_ORDER_CHARS)} />,
  agentName: AGENT_CELL,
}
