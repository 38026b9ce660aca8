/* SPDX-License-Identifier: MIT */
/* Carries over what a recording has besides the schema: groups, variables,
 * types, links and attributes that a user added, and attributes that a user
 * changed. HDF5 copies them from the old file into the new one, in the confined
 * process, before any data are packed: what cannot be carried is an error
 * then. */
#include "recording/pack/packing.h"

#include "base/memory.h"
#include "recording/format/hdf5.h"
#include "recording/read/confined.h"

#include <errno.h>
#include <fcntl.h>
#include <hdf5_hl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    PATH_BYTES = 1 << 12,
    PIECE_BYTES = 1 << 22, /* of a dataset that are copied at once */
};

/* Hard links that are not the first one to their object, soft and external
 * ones, and objects. Objects are made in this order. */
enum kind { GROUP, TYPE, DATASET, HARD, SOFT, EXTERNAL, KINDS };

/* A link of the old file; its path is the same in the new one. */
struct entry {
    char *path;
    enum kind kind;
    H5T_cset_t cset; /* of its name */
    haddr_t address;
    bool ours;     /* the schema has it */
    bool left_out; /* ours, and not in the new file */
    size_t to;     /* HARD: the entry of its object */
};

/* An attribute of the entry that is carried, or a scale of one of its axes. */
struct attribute {
    size_t entry, scale;
    char *name; /* NULL: a scale */
    unsigned axis;
};

struct carry {
    const struct packing *packing;
    const struct walk *walk;
    hid_t to; /* the new file */
    int fd;
    struct entry *entries;
    size_t count, room;
    struct attribute *attributes;
    size_t attribute_count, attribute_room;
    size_t at; /* the entry whose members or attributes are being listed */
    const char *history; /* of the run: hamon-pack adds a line */
    bool any;
};

static const char no_place[] =
    "hamon-pack has no place for it: move it to a group of your own";

static void *checked(const struct carry *carry, void *memory)
{
    if (!memory)
        confined_no_memory(carry->walk);
    return memory;
}

_Noreturn static void refuse(const struct carry *carry, const char *path,
                             const char *name, const char *fault)
{
    char text[RECORDING_TITLE_SIZE];
    snprintf(text, sizeof text, "%s%s%s", path, name ? "@" : "",
             name ? name : "");
    confined_refuse(carry->walk, text, fault);
}

/* A call of HDF5 that writes has failed, for lack of space or because it cannot
 * copy the object. */
_Noreturn static void unwritten(const struct carry *carry, const char *path,
                                const char *name)
{
    if (errno == ENOSPC || errno == EFBIG || errno == EDQUOT || errno == EIO)
        confined_unwritten(carry->walk, path);
    refuse(carry, path, name, "HDF5 cannot copy it");
}

/* ---- what the old file has ---- */

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* Is there an object with this path? HDF5 asks for each group on it. */
static bool is_there(hid_t file, const char *path)
{
    char part[PATH_BYTES];
    for (size_t end = 0;; end++) {
        end += strcspn(path + end, "/");
        snprintf(part, sizeof part, "%.*s", (int)end, path);
        if (end > 0 && H5Lexists(file, part, H5P_DEFAULT) <= 0)
            return false;
        if (!path[end])
            return true;
    }
}

static hid_t open_object(const struct carry *carry, hid_t file,
                         const char *path)
{
    hid_t object = H5Oopen(file, path[0] ? path : "/", H5P_DEFAULT);
    if (object < 0)
        refuse(carry, path, NULL, "cannot be opened");
    return object;
}

static enum kind kind_of(const struct carry *carry, const char *path,
                         hid_t object)
{
    switch (H5Iget_type(object)) {
    case H5I_GROUP:
        return GROUP;
    case H5I_DATASET:
        return DATASET;
    case H5I_DATATYPE:
        return TYPE;
    default:
        refuse(carry, path, NULL, "is an object of a kind that is not known");
    }
}

static size_t find_address(const struct carry *carry, haddr_t address)
{
    size_t i = 0;
    while (i < carry->count && (carry->entries[i].kind > DATASET ||
                                carry->entries[i].address != address))
        i++;
    return i;
}

static struct entry *add_entry(struct carry *carry, const char *path)
{
    carry->entries =
        checked(carry, memory_more(carry->entries, carry->count, &carry->room,
                                   sizeof *carry->entries));
    struct entry *entry = &carry->entries[carry->count++];
    *entry = (struct entry){ .path = checked(carry, memory_text(path)) };
    return entry;
}

/* An object of the schema. */
static void add_ours(struct carry *carry, const char *path)
{
    H5O_info_t about;
    for (size_t i = 0; i < carry->count; i++)
        if (strcmp(carry->entries[i].path, path) == 0)
            return;
    hid_t object = open_object(carry, carry->walk->file, path);
    if (H5Oget_info(object, &about) < 0)
        refuse(carry, path, NULL, "cannot be opened");
    struct entry *entry = add_entry(carry, path);
    entry->kind = kind_of(carry, path, object);
    entry->ours = true;
    entry->left_out = !is_there(carry->to, path);
    entry->address = about.addr;
    H5Oclose(object);
}

/* The root, and each variable with the groups on its path. */
static void add_all_ours(struct carry *carry)
{
    const struct layout *layout = &carry->packing->from->layout;
    add_ours(carry, "");
    for (size_t i = 0; i < layout->count; i++) {
        char path[VARIABLE_NAME_SIZE];
        if (layout->items[i].derived)
            continue;
        snprintf(path, sizeof path, "%s", layout->items[i].variable.name);
        for (char *slash = strchr(path, '/'); slash;
             slash = strchr(slash + 1, '/')) {
            *slash = '\0';
            add_ours(carry, path);
            *slash = '/';
        }
        add_ours(carry, path);
    }
}

static void add_object(struct carry *carry, struct entry *entry)
{
    hid_t object = open_object(carry, carry->walk->file, entry->path);
    entry->kind = kind_of(carry, entry->path, object);
    if (is_there(carry->to, entry->path)) {
        /* a group that only the new file needs, or a name */
        hid_t there = open_object(carry, carry->to, entry->path);
        if (entry->kind != GROUP || H5Iget_type(there) != H5I_GROUP)
            refuse(carry, entry->path, NULL,
                   "hamon-pack needs this name: rename it");
        H5Oclose(there);
    }
    H5Oclose(object);
}

static herr_t visit_link(hid_t group, const char *name, const H5L_info_t *link,
                         void *context)
{
    struct carry *carry = context;
    const struct entry *parent = &carry->entries[carry->at];
    char path[PATH_BYTES];
    (void)group;
    if (snprintf(path, sizeof path, "%s%s%s", parent->path,
                 parent->path[0] ? "/" : "", name) >= (int)sizeof path)
        refuse(carry, parent->path, NULL, "has a name that is too long");
    const bool hard = link->type == H5L_TYPE_HARD;
    const size_t object =
        hard ? find_address(carry, link->u.address) : carry->count;
    if (object < carry->count &&
        (strcmp(carry->entries[object].path, path) == 0 ||
         (carry->entries[object].ours && is_there(carry->to, path))))
        return 0; /* the schema's, or its second link to the time */
    if (parent->left_out ||
        (object < carry->count && carry->entries[object].left_out))
        refuse(carry, path, NULL, no_place);
    struct entry *entry = add_entry(carry, path);
    entry->cset = link->cset;
    carry->any = true;
    if (object + 1 < carry->count) {
        entry->kind = HARD;
        entry->to = object;
    } else if (hard) {
        entry->address = link->u.address;
        add_object(carry, entry);
    } else if (link->type == H5L_TYPE_SOFT || link->type == H5L_TYPE_EXTERNAL) {
        entry->kind = link->type == H5L_TYPE_SOFT ? SOFT : EXTERNAL;
    } else {
        refuse(carry, path, NULL, "is a link of a kind that is not known");
    }
    if (entry->kind > GROUP && is_there(carry->to, path))
        refuse(carry, path, NULL, "hamon-pack needs this name: rename it");
    return 0;
}

/* In the order of creation, which netCDF shows, if the file has it. */
static H5_index_t order_of(hid_t object, bool attributes)
{
    const H5I_type_t type = H5Iget_type(object);
    unsigned flags = 0;
    hid_t list = type == H5I_GROUP     ? H5Gget_create_plist(object)
                 : type == H5I_DATASET ? H5Dget_create_plist(object)
                                       : H5Tget_create_plist(object);
    if (attributes)
        H5Pget_attr_creation_order(list, &flags);
    else
        H5Pget_link_creation_order(list, &flags);
    H5Pclose(list);
    return flags & H5P_CRT_ORDER_TRACKED ? H5_INDEX_CRT_ORDER : H5_INDEX_NAME;
}

/* The list grows while groups are read. */
static void list_links(struct carry *carry)
{
    for (carry->at = 0; carry->at < carry->count; carry->at++) {
        const struct entry *entry = &carry->entries[carry->at];
        if (entry->kind != GROUP)
            continue;
        hid_t group = open_object(carry, carry->walk->file, entry->path);
        if (H5Literate(group, order_of(group, false), H5_ITER_INC, NULL,
                       visit_link, carry) < 0)
            refuse(carry, carry->entries[carry->at].path, NULL,
                   "cannot be listed");
        H5Oclose(group);
    }
}

/* ---- attributes ---- */

/* The text of an attribute, in memory_new memory; NULL: it is not one text. */
static char *text_of(const struct carry *carry, hid_t object, const char *name)
{
    hid_t attribute = H5Aopen(object, name, H5P_DEFAULT);
    hid_t type = attribute < 0 ? -1 : H5Aget_type(attribute);
    hid_t space = attribute < 0 ? -1 : H5Aget_space(attribute);
    char *text = NULL, *stored = NULL;
    if (type >= 0 && H5Tget_class(type) == H5T_STRING &&
        H5Sget_simple_extent_npoints(space) == 1) {
        if (H5Tis_variable_str(type) > 0) {
            if (H5Aread(attribute, type, &stored) >= 0)
                text = checked(carry, memory_text(stored ? stored : ""));
        } else {
            text = checked(carry, memory_new(H5Tget_size(type) + 1, 1));
            if (H5Aread(attribute, type, text) < 0)
                text[0] = '\0';
        }
    }
    H5Sclose(space);
    H5Tclose(type);
    H5Aclose(attribute);
    return text;
}

/* Is it what layout_create writes, and hamon-pack after it? */
static bool is_our_history(const struct carry *carry, const char *text)
{
    static const char *const lines[] = { "hamon-pack --expand", "hamon-pack" };
    if (!begins(text, carry->history))
        return false;
    text += strlen(carry->history);
    while (*text == '\n' || (text[0] && !carry->history[0])) {
        text += *text == '\n';
        size_t i = 0;
        while (i < 2 && !begins(text, lines[i]))
            i++;
        if (i == 2)
            return false;
        text += strlen(lines[i]);
    }
    return *text == '\0';
}

/* The scales of an axis are attached again; a dimension's name contains its
 * length; the comment of keyframes and the bits depend on the packing. */
static bool is_made_anew(const struct carry *carry, const struct entry *entry,
                         hid_t was, hid_t is, const char *name)
{
    static const char dimension[] = "This is a netCDF dimension but";
    if (strcmp(name, "DIMENSION_LIST") == 0 ||
        strcmp(name, "REFERENCE_LIST") == 0)
        return true;
    if (!entry->ours)
        return false;
    const bool root = entry->path[0] == '\0';
    if (strcmp(name, "_QuantizeBitRoundNumberOfSignificantBits") == 0)
        return is >= 0 && H5Aexists(is, name) > 0;
    if (strcmp(name, "NAME") != 0 && !(root && (strcmp(name, "history") == 0 ||
                                                strcmp(name, "comment") == 0)))
        return false;
    char *text = text_of(carry, was, name);
    const bool ours =
        text &&
        (!root                             ? begins(text, dimension)
         : strcmp(name, "history") == 0    ? is_our_history(carry, text)
         : carry->packing->from->keyframes ? begins(text, LAYOUT_KEYFRAME_NOTE)
                                           : false);
    memory_release(text);
    return ours;
}

struct attribute_visit {
    struct carry *carry;
    hid_t is; /* the object in the new file; −1: not there yet, or left out */
};

static struct attribute *add_attribute(struct carry *carry)
{
    carry->attributes = checked(
        carry, memory_more(carry->attributes, carry->attribute_count,
                           &carry->attribute_room, sizeof *carry->attributes));
    struct attribute *attribute = &carry->attributes[carry->attribute_count++];
    *attribute = (struct attribute){ .entry = carry->at };
    carry->any = true;
    return attribute;
}

/* What the schema and netCDF give to every object that is left out. */
static bool is_of_schema(const char *name)
{
    static const char *const names[] = { "long_name", "units",     "CLASS",
                                         "NAME",      "_Encoding", "_FillValue",
                                         "axis" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return begins(name, "_Netcdf4");
}

static herr_t visit_attribute(hid_t object, const char *name,
                              const H5A_info_t *info, void *context)
{
    const struct attribute_visit *visit = context;
    struct carry *carry = visit->carry;
    const struct entry *entry = &carry->entries[carry->at];
    (void)info;
    if (is_made_anew(carry, entry, object, visit->is, name))
        return 0;
    if (entry->left_out) {
        if (is_of_schema(name))
            return 0;
        refuse(carry, entry->path, name,
               "hamon-pack leaves out the object: move the attribute");
    }
    if (visit->is >= 0 && H5Aexists(visit->is, name) > 0) {
        const struct walk new = { carry->to, carry->walk->out };
        if (confined_attribute_sum(&new, entry->path, visit->is, name) ==
            confined_attribute_sum(carry->walk, entry->path, object, name))
            return 0;
    }
    add_attribute(carry)->name = checked(carry, memory_text(name));
    return 0;
}

/* A scale whose extent becomes smaller would not fit what is along it. */
static void check_scale(const struct carry *carry, const struct entry *entry,
                        const struct entry *scale)
{
    if (!scale->ours)
        return;
    hid_t old = open_object(carry, carry->walk->file, scale->path);
    hid_t new = open_object(carry, carry->to, scale->path);
    hid_t was = H5Dget_space(old), is = H5Dget_space(new);
    if (H5Sget_simple_extent_npoints(was) != H5Sget_simple_extent_npoints(is))
        refuse(carry, entry->path, NULL,
               "is along an axis whose unused rows hamon-pack leaves out");
    H5Sclose(was);
    H5Sclose(is);
    H5Oclose(old);
    H5Oclose(new);
}

_Noreturn static void refuse_reference(const struct carry *carry,
                                       const char *path, const char *name)
{
    refuse(carry, path, name,
           "refers to an object that the packed recording has not");
}

static size_t find_reference(const struct carry *carry, const char *path,
                             const char *name, const void *reference,
                             H5R_type_t type)
{
    H5O_info_t about;
    hid_t object =
        H5Rdereference2(carry->walk->file, H5P_DEFAULT, type, reference);
    size_t i = carry->count;
    if (object >= 0 && H5Oget_info(object, &about) >= 0)
        i = find_address(carry, about.addr);
    if (i == carry->count)
        refuse_reference(carry, path, name);
    H5Oclose(object);
    return i;
}

/* Notes the scales of a dataset, unless the dataset and the scale are the
 * schema's. */
static void list_scales(struct carry *carry, hid_t dataset)
{
    static const char name[] = "DIMENSION_LIST";
    const struct entry *entry = &carry->entries[carry->at];
    if (entry->left_out || H5Aexists(dataset, name) <= 0)
        return;
    hid_t attribute = H5Aopen(dataset, name, H5P_DEFAULT);
    hid_t type = H5Aget_type(attribute), space = H5Aget_space(attribute);
    const hssize_t axes = H5Sget_simple_extent_npoints(space);
    hid_t base = H5Tget_class(type) == H5T_VLEN ? H5Tget_super(type) : -1;
    hvl_t lists[H5S_MAX_RANK];
    if (axes < 1 || axes > H5S_MAX_RANK || base < 0 ||
        H5Tequal(base, H5T_STD_REF_OBJ) <= 0 ||
        H5Aread(attribute, type, lists) < 0)
        refuse(carry, entry->path, name, "is not a list of scales");
    for (unsigned axis = 0; axis < axes; axis++)
        for (size_t i = 0; i < lists[axis].len; i++) {
            const size_t scale =
                find_reference(carry, entry->path, name,
                               (hobj_ref_t *)lists[axis].p + i, H5R_OBJECT);
            if (entry->ours && carry->entries[scale].ours)
                continue;
            if (carry->entries[scale].left_out)
                refuse_reference(carry, entry->path, name);
            check_scale(carry, entry, &carry->entries[scale]);
            struct attribute *note = add_attribute(carry);
            note->scale = scale;
            note->axis = axis;
        }
    H5Tclose(base);
    H5Sclose(space);
    H5Tclose(type);
    H5Aclose(attribute);
}

static void list_attributes(struct carry *carry)
{
    for (carry->at = 0; carry->at < carry->count; carry->at++) {
        const struct entry *entry = &carry->entries[carry->at];
        struct attribute_visit visit = { carry, -1 };
        if (entry->kind > DATASET)
            continue;
        hid_t object = open_object(carry, carry->walk->file, entry->path);
        if (is_there(carry->to, entry->path))
            visit.is = open_object(carry, carry->to, entry->path);
        if (H5Aiterate2(object, order_of(object, true), H5_ITER_INC, NULL,
                        visit_attribute, &visit) < 0)
            refuse(carry, entry->path, NULL,
                   "has attributes that cannot be listed");
        /* The comment of HDF5 itself. */
        const ssize_t comment = H5Oget_comment(object, NULL, 0);
        if (comment > 0 && entry->left_out)
            refuse(carry, entry->path, NULL,
                   "hamon-pack leaves out the object, which has a comment");
        carry->any |= comment > 0;
        if (entry->kind == DATASET)
            list_scales(carry, object);
        if (visit.is >= 0)
            H5Oclose(visit.is);
        H5Oclose(object);
    }
}

/* ---- what cannot be carried ---- */

static void check_type(const struct carry *carry, const char *path,
                       const char *name, hid_t type)
{
    const H5T_class_t class = H5Tget_class(type);
    if (class == H5T_REFERENCE) {
        if (H5Tequal(type, H5T_STD_REF_OBJ) <= 0 &&
            H5Tequal(type, H5T_STD_REF_DSETREG) <= 0)
            refuse(carry, path, name, "has references of a new kind");
    } else if (class == H5T_VLEN || class == H5T_ARRAY) {
        hid_t base = H5Tget_super(type);
        check_type(carry, path, name, base);
        H5Tclose(base);
    } else if (class == H5T_COMPOUND) {
        for (unsigned m = 0; m < (unsigned)H5Tget_nmembers(type); m++) {
            hid_t member = H5Tget_member_type(type, m);
            check_type(carry, path, name, member);
            H5Tclose(member);
        }
    }
}

static void check_dataset(const struct carry *carry, const struct entry *entry)
{
    hid_t dataset = open_object(carry, carry->walk->file, entry->path);
    hid_t list = H5Dget_create_plist(dataset), type = H5Dget_type(dataset);
    if (list < 0 || type < 0)
        refuse(carry, entry->path, NULL, "cannot be opened");
    if (H5Pget_layout(list) == H5D_VIRTUAL || H5Pget_external_count(list) != 0)
        refuse(carry, entry->path, NULL, "keeps its data in another file");
    check_type(carry, entry->path, NULL, type);
    H5Tclose(type);
    H5Pclose(list);
    H5Oclose(dataset);
}

static void check_all(const struct carry *carry)
{
    hsize_t block = 0;
    hid_t list = H5Fget_create_plist(carry->walk->file);
    if (H5Pget_userblock(list, &block) >= 0 && block > 0)
        refuse(carry, "user block", NULL,
               "hamon-pack has no place for it: remove it by h5unjam");
    H5Pclose(list);
    for (size_t i = 0; i < carry->count; i++)
        if (carry->entries[i].kind == DATASET && !carry->entries[i].ours)
            check_dataset(carry, &carry->entries[i]);
}

/* ---- into the new file ---- */

static void convert(const struct carry *carry, const char *path,
                    const char *name, void *reference, bool region)
{
    static const hdset_reg_ref_t none;
    const size_t bytes = region ? sizeof(hdset_reg_ref_t) : sizeof(hobj_ref_t);
    const H5R_type_t type = region ? H5R_DATASET_REGION : H5R_OBJECT;
    if (memcmp(reference, &none, bytes) == 0)
        return;
    const size_t to = find_reference(carry, path, name, reference, type);
    const char *of = carry->entries[to].path;
    if (carry->entries[to].left_out)
        refuse_reference(carry, path, name);
    hid_t space =
        region ? H5Rget_region(carry->walk->file, type, reference) : -1;
    if (H5Rcreate(reference, carry->to, of[0] ? of : "/", type, space) < 0)
        unwritten(carry, path, name);
    if (space >= 0)
        H5Sclose(space);
}

/* Values of the old file in memory become those of the new one: references get
 * the address of the same object there. */
static void convert_all(const struct carry *carry, const char *path,
                        const char *name, hid_t type, char *values,
                        size_t count)
{
    const H5T_class_t class = H5Tget_class(type);
    const size_t size = H5Tget_size(type);
    if (H5Tdetect_class(type, H5T_REFERENCE) <= 0)
        return;
    hid_t base =
        class == H5T_VLEN || class == H5T_ARRAY ? H5Tget_super(type) : -1;
    for (size_t i = 0; i < count; i++, values += size) {
        if (class == H5T_REFERENCE) {
            convert(carry, path, name, values,
                    H5Tequal(type, H5T_STD_REF_DSETREG) > 0);
        } else if (class == H5T_VLEN) {
            const hvl_t *list = (const hvl_t *)values;
            convert_all(carry, path, name, base, list->p, list->len);
        } else if (class == H5T_ARRAY) {
            convert_all(carry, path, name, base, values,
                        size / H5Tget_size(base));
        } else if (class == H5T_COMPOUND) {
            for (unsigned m = 0; m < (unsigned)H5Tget_nmembers(type); m++) {
                hid_t member = H5Tget_member_type(type, m);
                convert_all(carry, path, name, member,
                            values + H5Tget_member_offset(type, m), 1);
                H5Tclose(member);
            }
        }
    }
    if (base >= 0)
        H5Tclose(base);
}

/* The type that the file has under a name, if an attribute or a dataset uses
 * it: its path; else NULL. */
static const char *named_type(const struct carry *carry, hid_t type)
{
    H5O_info_t about;
    if (H5Tcommitted(type) <= 0 || H5Oget_info(type, &about) < 0)
        return NULL;
    const size_t i = find_address(carry, about.addr);
    return i < carry->count ? carry->entries[i].path : NULL;
}

static void copy_attribute(const struct carry *carry, hid_t from, hid_t to,
                           const char *path, const char *name)
{
    hid_t was = H5Aopen(from, name, H5P_DEFAULT);
    hid_t type = was < 0 ? -1 : H5Aget_type(was);
    hid_t space = was < 0 ? -1 : H5Aget_space(was);
    hid_t list = was < 0 ? -1 : H5Aget_create_plist(was);
    if (type < 0 || space < 0 || list < 0)
        refuse(carry, path, name, "cannot be read");
    check_type(carry, path, name, type);
    const char *named = named_type(carry, type);
    hid_t made_of =
        named ? H5Topen2(carry->to, named, H5P_DEFAULT) : H5Tcopy(type);
    const size_t count = (size_t)H5Sget_simple_extent_npoints(space);
    char *values = checked(carry, memory_new(count + 1, H5Tget_size(type)));
    if (count > 0 && H5Aread(was, type, values) < 0)
        refuse(carry, path, name, "cannot be read");
    convert_all(carry, path, name, type, values, count);
    errno = 0;
    if (H5Aexists(to, name) > 0 && H5Adelete(to, name) < 0)
        unwritten(carry, path, name);
    hid_t is = H5Acreate2(to, name, made_of, space, list, H5P_DEFAULT);
    if (is < 0 || (count > 0 && H5Awrite(is, type, values) < 0))
        unwritten(carry, path, name);
    memory_release(values);
    H5Aclose(is);
    H5Tclose(made_of);
    H5Pclose(list);
    H5Sclose(space);
    H5Tclose(type);
    H5Aclose(was);
}

/* The history that a user or another program wrote, and our line. */
static void write_history(const struct carry *carry, hid_t from, hid_t to)
{
    char *text = text_of(carry, from, "history");
    if (!text)
        refuse(carry, "", "history", "is not a text");
    char *longer = checked(
        carry,
        memory_format("%s\nhamon-pack%s", text,
                      carry->packing->options->expand ? " --expand" : ""));
    errno = 0;
    if ((H5Aexists(to, "history") > 0 && H5Adelete(to, "history") < 0) ||
        !layout_text_attribute(to, "history", longer))
        unwritten(carry, "", "history");
    memory_release(longer);
    memory_release(text);
}

/* Not the list of the old group: HDF5 puts addresses in the old file into it.
 */
static hid_t list_for_group(hid_t old)
{
    hid_t was = H5Gget_create_plist(old);
    hid_t list = H5Pcreate(H5P_GROUP_CREATE);
    unsigned links = 0, attributes = 0, most = 8, least = 6;
    bool times = true;
    H5Pget_link_creation_order(was, &links);
    H5Pget_attr_creation_order(was, &attributes);
    H5Pget_link_phase_change(was, &most, &least);
    H5Pget_obj_track_times(was, &times);
    H5Pset_link_creation_order(list, links);
    H5Pset_attr_creation_order(list, attributes);
    H5Pset_link_phase_change(list, most, least);
    H5Pset_obj_track_times(list, times);
    H5Pclose(was);
    return list;
}

static void make_group(const struct carry *carry, const struct entry *entry,
                       hid_t links)
{
    if (is_there(carry->to, entry->path))
        return;
    hid_t old = open_object(carry, carry->walk->file, entry->path);
    hid_t list = list_for_group(old);
    hid_t new = H5Gcreate2(carry->to, entry->path, links, list, H5P_DEFAULT);
    if (new < 0 || H5Gclose(new) < 0)
        unwritten(carry, entry->path, NULL);
    H5Pclose(list);
    H5Oclose(old);
}

/* Does a value contain the address of values elsewhere? */
static bool has_lists(hid_t type)
{
    const H5T_class_t class = H5Tget_class(type);
    bool has = class == H5T_VLEN || H5Tis_variable_str(type) > 0;
    if (class == H5T_ARRAY) {
        hid_t base = H5Tget_super(type);
        has = has_lists(base);
        H5Tclose(base);
    } else if (class == H5T_COMPOUND) {
        for (unsigned m = 0; m < (unsigned)H5Tget_nmembers(type) && !has; m++) {
            hid_t member = H5Tget_member_type(type, m);
            has = has_lists(member);
            H5Tclose(member);
        }
    }
    return has;
}

/* HDF5 copies into another file neither references nor fill values that are
 * lists or texts. */
static bool is_copied_by_value(hid_t type, hid_t list)
{
    H5D_fill_value_t fill = H5D_FILL_VALUE_UNDEFINED;
    H5Pfill_value_defined(list, &fill);
    return H5Tdetect_class(type, H5T_REFERENCE) > 0 ||
           (fill == H5D_FILL_VALUE_USER_DEFINED && has_lists(type));
}

/* In pieces along the first axis. */
static void copy_values(const struct carry *carry, const struct entry *entry,
                        hid_t old, hid_t new, hid_t type)
{
    hsize_t extents[H5S_MAX_RANK] = { 1 }, count[H5S_MAX_RANK],
            first[H5S_MAX_RANK] = { 0 };
    hid_t space = H5Dget_space(old);
    const int rank = H5Sget_simple_extent_dims(space, extents, NULL);
    const size_t all = (size_t)H5Sget_simple_extent_npoints(space);
    const size_t row = all == 0 ? 0 : all / (size_t)extents[0];
    hsize_t step = row == 0 ? 1 : PIECE_BYTES / (row * H5Tget_size(type));
    step = step < 1 ? 1 : step > extents[0] ? extents[0] : step;
    char *values =
        checked(carry, memory_new(row * (size_t)step + 1, H5Tget_size(type)));
    memcpy(count, extents, sizeof count);
    for (hsize_t at = 0; all > 0 && at < extents[0]; at += step) {
        first[0] = at;
        count[0] = extents[0] - at < step ? extents[0] - at : step;
        const hsize_t now = count[0] * row;
        hid_t memory = H5Screate_simple(1, &now, NULL);
        if (rank > 0)
            H5Sselect_hyperslab(space, H5S_SELECT_SET, first, NULL, count,
                                NULL);
        if (H5Dread(old, type, memory, space, H5P_DEFAULT, values) < 0)
            refuse(carry, entry->path, NULL, "cannot be read");
        convert_all(carry, entry->path, NULL, type, values, (size_t)now);
        if (H5Dwrite(new, type, memory, space, H5P_DEFAULT, values) < 0)
            unwritten(carry, entry->path, NULL);
        H5Dvlen_reclaim(type, memory, H5P_DEFAULT, values);
        H5Sclose(memory);
    }
    memory_release(values);
    H5Sclose(space);
}

static void copy_references(const struct carry *carry,
                            const struct entry *entry)
{
    hid_t old = open_object(carry, carry->walk->file, entry->path);
    hid_t type = H5Dget_type(old), list = H5Dget_create_plist(old);
    if (is_copied_by_value(type, list)) {
        hid_t new = open_object(carry, carry->to, entry->path);
        copy_values(carry, entry, old, new, type);
        H5Oclose(new);
    }
    H5Pclose(list);
    H5Tclose(type);
    H5Oclose(old);
}

/* Without its attributes, which come when all objects are there. `named` is the
 * type that it uses, or NULL. */
static void copy_object(const struct carry *carry, const struct entry *entry,
                        const char *named, hid_t links)
{
    hid_t list = H5Pcreate(H5P_OBJECT_COPY);
    unsigned flags = H5O_COPY_WITHOUT_ATTR_FLAG;
    if (named)
        flags |= H5O_COPY_MERGE_COMMITTED_DTYPE_FLAG;
    if (list < 0 || H5Pset_copy_object(list, flags) < 0 ||
        (named && H5Padd_merge_committed_dtype_path(list, named) < 0) ||
        H5Ocopy(carry->walk->file, entry->path, carry->to, entry->path, list,
                links) < 0)
        unwritten(carry, entry->path, NULL);
    H5Pclose(list);
}

/* A dataset whose values come when all objects are there. */
static void make_dataset(const struct carry *carry, const struct entry *entry,
                         hid_t old, hid_t type, hid_t list, hid_t links)
{
    const char *named = named_type(carry, type);
    hid_t made_of =
        named ? H5Topen2(carry->to, named, H5P_DEFAULT) : H5Tcopy(type);
    hid_t space = H5Dget_space(old);
    hid_t new = H5Dcreate2(carry->to, entry->path, made_of, space, links, list,
                           H5P_DEFAULT);
    if (new < 0)
        unwritten(carry, entry->path, NULL);
    H5Dclose(new);
    H5Sclose(space);
    H5Tclose(made_of);
}

static void copy_dataset(const struct carry *carry, const struct entry *entry,
                         hid_t links)
{
    hid_t old = open_object(carry, carry->walk->file, entry->path);
    hid_t type = H5Dget_type(old), list = H5Dget_create_plist(old);
    if (is_copied_by_value(type, list))
        make_dataset(carry, entry, old, type, list, links);
    else
        copy_object(carry, entry, named_type(carry, type), links);
    H5Pclose(list);
    H5Tclose(type);
    H5Oclose(old);
}

static void copy_link(const struct carry *carry, const struct entry *entry,
                      hid_t links)
{
    H5L_info_t about;
    const char *file, *object;
    unsigned flags;
    if (H5Lget_info(carry->walk->file, entry->path, &about, H5P_DEFAULT) < 0)
        refuse(carry, entry->path, NULL, "cannot be read");
    char *value = checked(carry, memory_new(about.u.val_size + 1, 1));
    if (H5Lget_val(carry->walk->file, entry->path, value, about.u.val_size,
                   H5P_DEFAULT) < 0)
        refuse(carry, entry->path, NULL, "cannot be read");
    const bool good =
        entry->kind == SOFT
            ? H5Lcreate_soft(value, carry->to, entry->path, links,
                             H5P_DEFAULT) >= 0
            : H5Lunpack_elink_val(value, about.u.val_size, &flags, &file,
                                  &object) >= 0 &&
                  H5Lcreate_external(file, object, carry->to, entry->path,
                                     links, H5P_DEFAULT) >= 0;
    if (!good)
        unwritten(carry, entry->path, NULL);
    memory_release(value);
}

static void make_entry(const struct carry *carry, const struct entry *entry)
{
    hid_t links = H5Pcreate(H5P_LINK_CREATE);
    H5Pset_char_encoding(links, entry->cset);
    errno = 0;
    if (entry->kind == GROUP) {
        make_group(carry, entry, links);
    } else if (entry->kind == HARD) {
        const char *to = carry->entries[entry->to].path;
        if (H5Lcreate_hard(carry->to, to[0] ? to : "/", carry->to, entry->path,
                           links, H5P_DEFAULT) < 0)
            unwritten(carry, entry->path, NULL);
    } else if (entry->kind == DATASET) {
        copy_dataset(carry, entry, links);
    } else if (entry->kind == TYPE) {
        copy_object(carry, entry, NULL, links);
    } else {
        copy_link(carry, entry, links);
    }
    H5Pclose(links);
}

static void make_attribute(const struct carry *carry,
                           const struct attribute *attribute)
{
    const struct entry *entry = &carry->entries[attribute->entry];
    hid_t new = open_object(carry, carry->to, entry->path);
    if (attribute->name) {
        hid_t old = open_object(carry, carry->walk->file, entry->path);
        if (entry->path[0] == '\0' && strcmp(attribute->name, "history") == 0)
            write_history(carry, old, new);
        else
            copy_attribute(carry, old, new, entry->path, attribute->name);
        H5Oclose(old);
    } else {
        hid_t scale = open_object(carry, carry->to,
                                  carry->entries[attribute->scale].path);
        errno = 0;
        if (H5DSattach_scale(new, scale, attribute->axis) < 0)
            unwritten(carry, entry->path, "DIMENSION_LIST");
        H5Oclose(scale);
    }
    H5Oclose(new);
}

static void copy_comment(const struct carry *carry, const struct entry *entry)
{
    hid_t old = open_object(carry, carry->walk->file, entry->path);
    const ssize_t length = H5Oget_comment(old, NULL, 0);
    if (length > 0) {
        char *text = checked(carry, memory_new((size_t)length + 1, 1));
        hid_t new = open_object(carry, carry->to, entry->path);
        errno = 0;
        if (H5Oget_comment(old, text, (size_t)length + 1) < 0 ||
            H5Oset_comment(new, text) < 0)
            unwritten(carry, entry->path, NULL);
        H5Oclose(new);
        memory_release(text);
    }
    H5Oclose(old);
}

/* The netCDF library may have numbered all dimensions of the old file. It takes
 * one without a number for another one then: those that only the new file has
 * get the next numbers. */
static void number_dimensions(const struct carry *carry)
{
    static const char name[] = "_Netcdf4Dimid";
    const struct layout *layout = &carry->packing->layout;
    int32_t last = -1, number;
    bool all = false;
    for (size_t i = 0; i < carry->attribute_count; i++) {
        const struct attribute *attribute = &carry->attributes[i];
        if (!attribute->name || strcmp(attribute->name, name) != 0)
            continue;
        const char *path = carry->entries[attribute->entry].path;
        if (H5LTget_attribute_int(carry->to, path, name, &number) >= 0 &&
            number > last)
            last = number;
        all |= carry->entries[attribute->entry].ours;
    }
    hid_t scalar = H5Screate(H5S_SCALAR);
    for (size_t i = 0; i < layout->count && all; i++) {
        const struct layout_item *item = &layout->items[i];
        hid_t object = open_object(carry, carry->to, item->variable.name);
        if (H5DSis_scale(object) > 0 && H5Aexists(object, name) <= 0) {
            last++;
            hid_t made = H5Acreate2(object, name, H5T_STD_I32LE, scalar,
                                    H5P_DEFAULT, H5P_DEFAULT);
            if (made < 0 || H5Awrite(made, H5T_NATIVE_INT32, &last) < 0)
                unwritten(carry, item->variable.name, name);
            H5Aclose(made);
        }
        H5Oclose(object);
    }
    H5Sclose(scalar);
}

static void write_all(const struct carry *carry)
{
    for (enum kind kind = 0; kind < KINDS; kind++)
        for (size_t i = 0; i < carry->count; i++)
            if (carry->entries[i].kind == kind && !carry->entries[i].ours)
                make_entry(carry, &carry->entries[i]);
    for (size_t i = 0; i < carry->count; i++)
        if (carry->entries[i].kind == DATASET && !carry->entries[i].ours)
            copy_references(carry, &carry->entries[i]);
    /* Attributes before scales: those attach to what has their class. */
    for (int scales = false; scales <= true; scales++)
        for (size_t i = 0; i < carry->attribute_count; i++)
            if ((carry->attributes[i].name == NULL) == scales)
                make_attribute(carry, &carry->attributes[i]);
    for (size_t i = 0; i < carry->count; i++)
        if (carry->entries[i].kind <= DATASET && !carry->entries[i].left_out)
            copy_comment(carry, &carry->entries[i]);
    number_dimensions(carry);
}

static hid_t open_new(const struct carry *carry, unsigned flags)
{
    char path[32];
    snprintf(path, sizeof path, "/proc/self/fd/%d", carry->fd);
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_meta_block_size(access, 1 << 16);
    H5Pset_fclose_degree(access, H5F_CLOSE_STRONG);
    hid_t file = H5Fopen(path, flags, access);
    H5Pclose(access);
    if (file < 0)
        confined_refuse(carry->walk, NULL, "HDF5 cannot open the new file");
    return file;
}

static void carry_confined(const struct walk *walk, int kept, void *context)
{
    struct carry *carry = context;
    carry->walk = walk;
    carry->fd = kept;
    carry->to = open_new(carry, H5F_ACC_RDONLY);
    add_all_ours(carry);
    list_links(carry);
    list_attributes(carry);
    check_all(carry);
    H5Fclose(carry->to);
    if (!carry->any)
        return;
    carry->to = open_new(carry, H5F_ACC_RDWR);
    write_all(carry);
    errno = 0;
    if (H5Fclose(carry->to) < 0)
        unwritten(carry, "what a user added", NULL);
}

enum status pack_carry(const struct packing *packing, struct error *error)
{
    const struct recording *from = packing->from;
    struct layout_header header = { .title = NULL };
    layout_set_history(&header, recording_text(from, "date"),
                       recording_text(from, "command"));
    struct carry carry = { .packing = packing, .history = header.history };
    const struct confined_work work = {
        .run = carry_confined,
        .context = &carry,
        .fault = "cannot be packed",
        .kept = open(packing->temporary, O_RDWR | O_CLOEXEC),
        .writes = true,
        .bytes = from->bytes,
    };
    if (work.kept < 0)
        return error_system(error, STATUS_DISK, "%s: cannot be written",
                            packing->options->out);
    enum status status = confined_run(from->fd, from->path, &work, error);
    close(work.kept);
    return status;
}

/* ---- reading back ---- */

/* Are the attribute and its object, or the object itself, carried over as they
 * are? */
static bool is_kept(const struct packing *packing,
                    const struct found_attribute *found)
{
    static const char *const anew[] = {
        "",
        "NAME",
        "DIMENSION_LIST",
        "REFERENCE_LIST",
        "history",
        "comment",
        "_QuantizeBitRoundNumberOfSignificantBits",
    };
    if (!layout_has(&packing->from->layout, found->object))
        return strcmp(found->name, "REFERENCE_LIST") != 0;
    for (size_t i = 0; i < sizeof anew / sizeof *anew; i++)
        if (strcmp(found->name, anew[i]) == 0)
            return false;
    return layout_has(&packing->layout, found->object);
}

/* Both lists have one order, except for what one of them has not. */
static const struct found_attribute *find(const struct found_attribute *items,
                                          size_t count, size_t *from,
                                          const struct found_attribute *like)
{
    for (size_t i = 0; i < count; i++) {
        const size_t at = (*from + i) % count;
        if (strcmp(items[at].object, like->object) == 0 &&
            strcmp(items[at].name, like->name) == 0) {
            *from = at + 1;
            return &items[at];
        }
    }
    return NULL;
}

enum status pack_verify_carried(const struct packing *packing,
                                struct recording *made, struct error *error)
{
    struct recording *from = packing->from;
    struct found_attribute *was = NULL, *is = NULL;
    size_t was_count = 0, is_count = 0, at = 0;
    enum status status = inspect_attributes(from->fd, from->path, &from->layout,
                                            &was, &was_count, error);
    if (!status)
        status = inspect_attributes(made->fd, packing->options->out,
                                    &made->layout, &is, &is_count, error);
    for (size_t i = 0; i < was_count && !status; i++) {
        if (!is_kept(packing, &was[i]))
            continue;
        const struct found_attribute *now = find(is, is_count, &at, &was[i]);
        if (!now || now->sum != was[i].sum)
            status =
                error_at(error, STATUS_DISK, packing->options->out, 0,
                         "%s%s%s: reads back different from what was "
                         "written: the disk or the memory is faulty; "
                         "nothing was replaced",
                         was[i].object, was[i].name[0] ? "@" : "", was[i].name);
    }
    memory_release(was);
    memory_release(is);
    return status;
}
