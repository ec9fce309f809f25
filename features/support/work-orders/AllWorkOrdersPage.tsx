import { WorkOrderList } from './WorkOrderList.tsx'

/** What partners ask of the vendor, what is overdue first (D3 §7). */
export default function AllWorkOrdersPage() {
  return <WorkOrderList which="all" />
}
