//! A finished set of packed positions: lists, one for each share, sixteen bytes a position.

use nebel_position::Key;

use crate::exact::budget::SLOT;

/// A set of positions that share the own men.
#[derive(Clone, Debug, Default)]
pub struct PositionSet {
    lists: Vec<Vec<u128>>,
    len: usize,
}

impl PositionSet {
    /// The set of one position.
    pub(crate) fn single(key: Key) -> PositionSet {
        PositionSet::from_lists(vec![vec![key.bits()]])
    }

    /// A set from lists that hold no position twice.
    pub(crate) fn from_lists(lists: Vec<Vec<u128>>) -> PositionSet {
        let len = lists.iter().map(Vec::len).sum();
        PositionSet { lists, len }
    }

    pub(crate) fn lists(&self) -> &[Vec<u128>] {
        &self.lists
    }

    /// Changes the lists, each with its number. No position may be in them twice afterwards.
    pub(crate) fn change(&mut self, mut change: impl FnMut(usize, &mut Vec<u128>)) {
        for (index, list) in self.lists.iter_mut().enumerate() {
            change(index, list);
        }
        self.len = self.lists.iter().map(Vec::len).sum();
    }

    /// A set of these positions, none of which is there twice.
    pub fn of(keys: impl Iterator<Item = Key>) -> PositionSet {
        PositionSet::from_lists(vec![keys.map(Key::bits).collect()])
    }

    /// The bits of all positions, if they are in one list.
    pub fn as_list(&self) -> Option<&[u128]> {
        match self.lists.as_slice() {
            [list] => Some(list),
            _ => None,
        }
    }

    /// The same set in one list. The order of the lists stays, and with it the neighbourhood of positions.
    pub(crate) fn into_one_list(self) -> PositionSet {
        let mut whole = Vec::with_capacity(self.len);
        for list in self.lists {
            whole.extend_from_slice(&list);
        }
        PositionSet::from_lists(vec![whole])
    }

    /// How many positions there are.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The bytes that the positions take at rest.
    pub fn bytes(&self) -> usize {
        self.lists.iter().map(|list| list.capacity() * SLOT).sum()
    }

    /// All positions, in no particular order.
    pub fn iter(&self) -> impl Iterator<Item = Key> + '_ {
        self.lists.iter().flatten().map(|&bits| Key::from_bits(bits))
    }
}
