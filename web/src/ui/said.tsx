// The umpire's words, each sentence with its explanation a tap away.

import { useId, useState } from 'preact/hooks';
import { href } from '../router';

interface Topic {
  /** Its chapter of the rules. */
  id: string;
  fits: RegExp;
  title: string;
  about: string;
}

/** The first that fits a sentence counts. */
const TOPICS: readonly Topic[] = [
  {
    id: 'any',
    fits: /asked “Any\?”/,
    title: 'The question “Any?”',
    about: 'Is there any pawn capture? Both sides hear the question and the answer. After a yes a pawn capture must be made or, under English rules, tried once.',
  },
  {
    id: 'tries',
    fits: /pawn (try|tries)/,
    title: 'Pawn tries',
    about: 'Captures that pawns of the side to move can make now, each from-square and to-square once, en passant included. Both sides hear of them.',
  },
  {
    id: 'refused',
    fits: /^Illegal|tried something illegal/,
    title: 'Illegal',
    about: 'It could have been legal for all you know, but is not here: something stands in the way, is not there to be taken, or your king would be in check. Try something else.',
  },
  {
    id: 'nonsense',
    fits: /^Nonsense/,
    title: 'Nonsense',
    about: 'It could not be legal whatever the other side has, or was refused already in this turn. It tells nothing about the other side.',
  },
  {
    id: 'capture',
    fits: /took a|was taken/,
    title: 'A capture',
    about: 'Both sides hear on which square a man fell, and under most rules whether a pawn or a piece. Who captured is not said; it stands there now.',
  },
  {
    id: 'check',
    fits: /in check/,
    title: 'Where a check comes from',
    about: 'Seen from the king: his rank, his file, the longer or the shorter of his two diagonals, or a knight. Two directions when the check is double.',
  },
  {
    id: 'promotion',
    fits: /promoted/,
    title: 'Promotion',
    about: 'A pawn reached the last rank. To what it was promoted is not said.',
  },
  {
    id: 'end',
    fits: /Checkmate|Stalemate|Neither side|Fifty|three times|Resignation|time|Forfeit|too long|drawn|You (win|lose)/,
    title: 'How games end',
    about: 'By checkmate, stalemate, too few men to mate, and under some rules by fifty quiet moves or a position that stood three times.',
  },
];

interface Props {
  text: string;
  /** -1 where there are many, as in the log: the Tab key goes past them, and finds the last one above the log, each one at its step. */
  tabIndex?: number;
}

/** Some of the umpire's sentences; one that the rules explain is a button that does. */
export function Said({ text, tabIndex = 0 }: Props) {
  return (
    <>
      {text.split(/(?<=\.) /).map((sentence, index) => {
        const topic = TOPICS.find(({ fits }) => fits.test(sentence));
        return (
          <>
            {index > 0 && ' '}
            {topic ? <Explained key={index} sentence={sentence} topic={topic} tabIndex={tabIndex} /> : sentence}
          </>
        );
      })}
    </>
  );
}

interface ExplainedProps {
  sentence: string;
  topic: Topic;
  tabIndex: number;
}

function Explained({ sentence, topic, tabIndex }: ExplainedProps) {
  const id = useId();
  // A log has hundreds of sentences: each is explained when somebody asks.
  const [isAsked, setAsked] = useState(false);
  return (
    <>
      <button type="button" class="said" tabIndex={tabIndex} {...{ popovertarget: id }}>
        {sentence}
      </button>
      <span class="said-about" id={id} onBeforeToggle={({ newState }) => setAsked(newState === 'open')} {...{ popover: 'auto' }}>
        {isAsked && (
          <>
            <strong>{topic.title}</strong> {topic.about}{' '}
            <a href={href('rules', topic.id)} target="_blank" rel="noopener">
              In the rules
            </a>
          </>
        )}
      </span>
    </>
  );
}
