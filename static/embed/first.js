// Before anything is painted: the picture is of another state than the address.
if (location.hash.length > 1) document.documentElement.dataset.overlapElsewhere = "";
