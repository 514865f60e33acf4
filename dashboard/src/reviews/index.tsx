import { Column } from '../shared/lists/column.tsx';
import type { Pages } from '../shared/page/pages.ts';
import { choiceFilter, dayFilters, personFilter } from '../shared/lists/filters.tsx';
import { Export, SelectedExport, type Columns } from '../shared/lists/export.tsx';
import { Listing, Table } from '../shared/lists/listing.tsx';
import { RecordLink } from '../shared/record/record-link.tsx';
import { Time } from '../shared/time/time.tsx';
import { Stars, Visibility, type Review } from './review.tsx';
import { PersonName } from '../shared/record/person-name.tsx';
import { ChangeVisibility } from './visibility.tsx';

const filters = [
  choiceFilter('hidden', 'resources.reviews.fields.hidden', ['false', 'true'], 'resources.reviews.visibility'),
  choiceFilter('rating', 'resources.reviews.fields.rating', ['5', '4', '3', '2', '1'], 'resources.reviews.ratings'),
  personFilter(),
  ...dayFilters,
];

/** The CSV columns. Times are in UTC. */
const csv: Columns<Review> = {
  id: ({ id }) => id,
  created_at: ({ created_at }) => created_at,
  identifier: ({ identifier }) => identifier,
  student_id: ({ student_id }) => student_id,
  student_name: ({ student_name }) => student_name,
  teacher_id: ({ teacher_id }) => teacher_id,
  rating: ({ rating }) => rating,
  comment: ({ comment }) => comment,
  reply: ({ reply }) => reply,
  hidden: ({ hidden }) => String(hidden),
};

const WIDE = { overflowWrap: 'anywhere', minWidth: { md: 160 }, maxWidth: { md: 330 } };

const ReviewList = () => (
  <Listing filters={filters} actions={<Export columns={csv} />}>
    <Table
      card={['rating hidden', 'student_name', 'teacher_id', 'comment', 'reply', 'created_at actions']}
      named={['student_name', 'teacher_id', 'reply']}
      bulk={<SelectedExport columns={csv} />}
      sx={{ '& .column-comment, & .column-reply': WIDE }}
    >
      <Column
        source="created_at"
        render={({ identifier, created_at: at }: Review) => (
          <RecordLink resource="calls" id={identifier}>
            <Time at={at} />
          </RecordLink>
        )}
      />
      <Column disableSort source="rating" render={({ rating }: Review) => <Stars rating={rating} />} />
      <Column
        disableSort
        source="student_name"
        render={({ student_id: id, student_name: name }: Review) => (
          <RecordLink resource="people" id={id}>
            {name}
          </RecordLink>
        )}
      />
      <Column disableSort source="teacher_id" render={({ teacher_id: id }: Review) => <PersonName id={id} />} />
      <Column disableSort source="comment" />
      <Column disableSort source="reply" />
      <Column disableSort source="hidden" render={({ hidden }: Review) => <Visibility hidden={hidden} />} />
      <Column disableSort source="actions" children={<ChangeVisibility />} />
    </Table>
  </Listing>
);

export default { list: ReviewList } satisfies Pages;
